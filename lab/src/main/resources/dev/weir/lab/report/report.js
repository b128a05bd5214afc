'use strict';
// Draws every plot of the page from the JSON in #plots with uPlot. Sets data-plots="drawn" on <html> when all are on
// the page, and collects uncaught errors into data-error, so that a test can tell.
(() => {
  const root = document.documentElement;
  const failed = (message) => { root.dataset.error = [root.dataset.error, message].filter(Boolean).join('; '); };
  addEventListener('error', (event) => failed(event.message));
  addEventListener('securitypolicyviolation', (event) => failed('blocked ' + event.violatedDirective));

  // What a series stands for decides its colour, dash and mark; no two in one plot share a dash and mark.
  const STYLES = {
    p50: { colour: '--green', dash: [2, 3], mark: 'diamond' },
    p90: { colour: '--blue', dash: [7, 3], mark: 'square' },
    p99: { colour: '--orange', dash: [], mark: 'circle', width: 2.25 },
    p999: { colour: '--purple', dash: [8, 3, 2, 3], mark: 'triangle' },
    main: { colour: '--blue', dash: [], mark: 'circle', width: 2.25 },
    reference: { colour: '--grey', dash: [5, 4], mark: 'none', width: 1.25 },
    offered: { colour: '--grey', dash: [5, 4], mark: 'none', width: 1.5 },
    failures: { colour: '--orange', dash: [2, 2], mark: 'none', width: 1.5 },
    service: { colour: '--blue', dash: [], mark: 'circle', width: 2.25 },
    generator: { colour: '--orange', dash: [7, 3], mark: 'triangle' },
    machine: { colour: '--grey', dash: [2, 3], mark: 'square' },
    before: { colour: '--blue', dash: [], mark: 'circle', width: 2.25 },
    after: { colour: '--orange', dash: [], mark: 'square', width: 2.25 },
    'before-soft': { colour: '--blue', dash: [6, 4], mark: 'triangle' },
    'after-soft': { colour: '--orange', dash: [6, 4], mark: 'diamond' },
    knee: { colour: '--orange', dash: [], mark: 'none', width: 2.25 },
    'knee-sent': { colour: '--orange', dash: [8, 3, 2, 3], mark: 'none' },
    below: { colour: '--blue', dash: [7, 3], mark: 'none', width: 2.25 },
    'below-sent': { colour: '--blue', dash: [2, 3], mark: 'none' },
    fit: { colour: '--grey', dash: [5, 4], mark: 'none', width: 1.75 },
  };

  const colour = (name) => getComputedStyle(root).getPropertyValue(name).trim();
  const number = (value) => {
    const size = Math.abs(value);
    const digits = size >= 100 || size === 0 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
    return value.toLocaleString('en-US', { maximumFractionDigits: digits });
  };
  const withUnit = (value, unit) => number(value) + (unit.startsWith('/') || !unit ? '' : '\u00a0') + unit;
  const percentile = (x) => {
    const digits = Math.max(0, Math.ceil(Math.log10(x)) - 2);
    return (100 - 100 / x).toFixed(Math.min(6, digits)).replace(/\.0+$/, '') + '\u00a0%';
  };
  const font = () => '12px ' + getComputedStyle(document.body).fontFamily;

  const axisTitle = (axis) => axis.unit ? axis.label + ', ' + (axis.unit === '/s' ? 'requests/s' : axis.unit) : axis.label;

  function tickText(axis) {
    if (axis.scale === 'percentile') {
      return (u, splits) => splits.map(percentile);
    }
    return (u, splits) => splits.map((value) => value == null ? '' : number(value));
  }

  function percentileTicks(u, index, min, max) {
    const all = [1, 2, 4, 10, 20, 100, 1e3, 1e4, 1e5, 1e6, 1e7];
    const inside = all.filter((x) => x >= min * 0.999 && x <= max * 1.001);
    return u.width < 480 ? inside.filter((x) => x === 2 || Math.log10(x) % 1 === 0 && x > 1) : inside;
  }

  function logTicks(u, index, min, max) {
    const steps = max / min > 200 ? [1] : max / min > 30 ? [1, 3] : [1, 2, 5];
    const ticks = [];
    for (let decade = 10 ** Math.floor(Math.log10(min)); decade <= max * 1.0001; decade *= 10) {
      steps.forEach((step) => {
        if (step * decade >= min * 0.9999 && step * decade <= max * 1.0001) ticks.push(step * decade);
      });
    }
    return ticks;
  }

  // Limits widen the vertical axis: how far away a limit is says as much as where the points are.
  // Room is kept above for the labels of the bands.
  function scaleOf(axis, fromZero, limits, room) {
    const widen = (range) => (u, min, max) => {
      const values = limits.map((limit) => limit.at).concat(min == null ? [] : [min, max]);
      return values.length ? range(Math.min(...values), Math.max(...values)) : range(null, null);
    };
    if (axis.scale === 'percentile') {
      return { time: false, distr: 3, range: (u, min, max) => [1, max == null ? 1000 : Math.max(10, max)] };
    }
    if (axis.scale === 'log') {
      return { time: false, distr: 3, range: widen((min, max) => {
        if (min == null) return [1, 10];
        const margin = Math.max(1.2, (max / min) ** 0.05);
        return [min / margin, max * margin * (room > 1.1 ? margin : 1)];
      }) };
    }
    if (!fromZero) {
      return { time: false };
    }
    return { time: false, range: widen((min, max) => [0, max == null || max <= 0 ? 1 : max * room]) };
  }

  function axisOf(axis, vertical) {
    const options = {
      stroke: colour('--soft'), font: font(), labelFont: font(), label: axisTitle(axis), labelSize: 20, labelGap: 2,
      grid: { stroke: colour('--grid'), width: 1 }, ticks: { stroke: colour('--rule'), width: 1, size: 5 },
      values: tickText(axis),
    };
    if (axis.scale === 'percentile') {
      options.splits = percentileTicks;
      options.filter = (u, splits) => splits;
    } else if (axis.scale === 'log') {
      options.splits = logTicks;
      options.filter = (u, splits) => splits;
    }
    if (vertical) {
      options.size = (u, values) => values ? Math.max(34, 16 + 7 * Math.max(...values.map((v) => v.length))) : 40;
    } else {
      options.space = 64;
      options.size = 34;
    }
    return options;
  }

  function shape(context, mark, x, y, size) {
    context.beginPath();
    if (mark === 'circle') {
      context.arc(x, y, size, 0, 2 * Math.PI);
    } else if (mark === 'square') {
      context.rect(x - size * 0.9, y - size * 0.9, size * 1.8, size * 1.8);
    } else if (mark === 'diamond') {
      context.moveTo(x, y - size * 1.3); context.lineTo(x + size * 1.3, y);
      context.lineTo(x, y + size * 1.3); context.lineTo(x - size * 1.3, y); context.closePath();
    } else {
      context.moveTo(x, y - size * 1.2); context.lineTo(x + size * 1.15, y + size * 0.9);
      context.lineTo(x - size * 1.15, y + size * 0.9); context.closePath();
    }
  }

  function drawMarks(u, plot) {
    const { ctx } = u, ratio = devicePixelRatio;
    ctx.save();
    plot.lines.forEach((line, index) => {
      const style = STYLES[line.style];
      if (!line.markers || style.mark === 'none' || !u.series[index + 1].show) return;
      ctx.setLineDash([]);
      ctx.lineWidth = 1.6 * ratio;
      ctx.strokeStyle = colour(style.colour);
      u.data[0].forEach((x, at) => {
        const y = u.data[index + 1][at];
        if (y == null || x < u.scales.x.min || x > u.scales.x.max) return;
        shape(ctx, style.mark, u.valToPos(x, 'x', true), u.valToPos(y, 'y', true), 3.6 * ratio);
        ctx.fillStyle = line.open.has(x) ? colour('--paper') : colour(style.colour);
        ctx.fill();
        ctx.stroke();
      });
    });
    ctx.restore();
  }

  function drawGround(u, plot) {
    const { ctx } = u, ratio = devicePixelRatio, box = u.bbox;
    ctx.save();
    ctx.beginPath();
    ctx.rect(box.left, box.top, box.width, box.height);
    ctx.clip();
    ctx.font = 11.5 * ratio + 'px ' + getComputedStyle(document.body).fontFamily;
    const taken = [];
    plot.bands.forEach((band) => {
      const from = u.valToPos(Math.max(band.from, u.scales.x.min), 'x', true);
      const to = band.to == null ? box.left + box.width : u.valToPos(Math.min(band.to, u.scales.x.max), 'x', true);
      ctx.fillStyle = colour(band.style === 'fail' ? '--band-fail' : band.style === 'after' ? '--band-b' : '--band');
      if (band.style !== 'pass') ctx.fillRect(from, box.top, Math.max(to - from, 2 * ratio), box.height);
      ctx.fillStyle = colour('--soft');
      ctx.textBaseline = 'top';
      const width = ctx.measureText(band.label).width, pad = 5 * ratio;
      const narrow = band.style === 'pass' || band.style === 'fail';
      if (narrow) {
        if (to - from < width + 2 * ratio) return;
        ctx.textAlign = 'center';
        ctx.fillText(band.label, (from + to) / 2, box.top + 4 * ratio);
      } else {
        const left = from - width - pad > box.left;
        const start = left ? from - pad - width : to + pad;
        const row = taken.filter(([begin, end]) => start < end + pad && begin < start + width + pad).length;
        taken.push([start, start + width]);
        ctx.textAlign = 'left';
        ctx.fillText(band.label, start, box.top + (4 + 15 * row) * ratio);
      }
    });
    plot.limits.forEach((limit) => {
      const y = u.valToPos(limit.at, 'y', true);
      ctx.strokeStyle = colour('--fail');
      ctx.fillStyle = colour('--fail');
      ctx.lineWidth = ratio;
      ctx.setLineDash([3 * ratio, 3 * ratio]);
      ctx.beginPath();
      ctx.moveTo(box.left, y);
      ctx.lineTo(box.left + box.width, y);
      ctx.stroke();
      ctx.textAlign = 'left';
      const below = y - box.top < 18 * ratio;
      ctx.textBaseline = below ? 'top' : 'bottom';
      ctx.fillText(limit.label, box.left + 6 * ratio, y + (below ? 3 : -3) * ratio);
    });
    ctx.restore();
  }

  function swatch(style) {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.setAttribute('width', '30');
    svg.setAttribute('height', '12');
    svg.setAttribute('aria-hidden', 'true');
    const line = document.createElementNS(svg.namespaceURI, 'path');
    line.setAttribute('d', 'M0 6H30');
    line.setAttribute('stroke-width', style.width || 1.75);
    line.setAttribute('stroke-dasharray', style.dash.join(' '));
    line.style.stroke = 'var(' + style.colour + ')';
    svg.append(line);
    const outlines = {
      circle: 'M11.5 6a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0', square: 'M12 3h6v6h-6z',
      diamond: 'M15 1.5L19.5 6L15 10.5L10.5 6z', triangle: 'M15 2L19 9H11z',
    };
    if (outlines[style.mark]) {
      const mark = document.createElementNS(svg.namespaceURI, 'path');
      mark.setAttribute('d', outlines[style.mark]);
      mark.style.fill = 'var(' + style.colour + ')';
      svg.append(mark);
    }
    return svg;
  }

  function legendOf(plot) {
    const legend = plot.figure.querySelector('.legend');
    plot.lines.forEach((line, index) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.title = 'Show or hide';
      button.setAttribute('aria-pressed', 'true');
      const style = STYLES[line.style];
      button.append(swatch(line.markers ? style : { ...style, mark: 'none' }), line.label);
      button.addEventListener('click', () => {
        line.hidden = !line.hidden;
        button.setAttribute('aria-pressed', String(!line.hidden));
        plot.chart.setSeries(index + 1, { show: !line.hidden });
      });
      legend.append(button);
    });
  }

  function readOut(u, plot) {
    const at = u.cursor.idx;
    if (at == null) {
      plot.readout.textContent = '';
      return;
    }
    const x = u.data[0][at];
    const where = plot.x.scale === 'percentile' ? percentile(x) : withUnit(x, plot.x.unit);
    const values = plot.lines.map((line, index) => {
      const value = u.data[index + 1][u.cursor.idxs[index + 1]];
      return line.hidden ? '' : line.label + '\u00a0' + (value == null ? '\u2013' : number(value));
    });
    const unit = plot.y.unit && !plot.y.unit.startsWith('/') ? '\u00a0' + plot.y.unit : plot.y.unit;
    plot.readout.textContent = where + ': ' + values.filter(Boolean).join(', ') + unit;
  }

  // Undefined means: this line has no point at this x, the nearest one is meant. Null means: not measured.
  function nearest(u, series, hovered) {
    const values = u.data[series];
    if (series === 0 || values[hovered] !== undefined) return hovered;
    for (let distance = 1; distance < values.length; distance++) {
      if (values[hovered - distance] != null) return hovered - distance;
      if (values[hovered + distance] != null) return hovered + distance;
    }
    return hovered;
  }

  function moveByKey(event, plot) {
    const u = plot.chart, last = u.data[0].length - 1;
    const now = u.cursor.idx == null ? -1 : u.cursor.idx;
    const stride = Math.max(1, Math.round(last / 60));
    const next = { ArrowRight: Math.min(last, now + stride), ArrowLeft: Math.max(0, now - stride), Home: 0, End: last }[event.key];
    if (event.key === 'Escape') {
      u.setCursor({ left: -10, top: -10 });
    } else if (next !== undefined) {
      u.setCursor({ left: u.valToPos(u.data[0][next], 'x'), top: u.over.clientHeight / 2 });
      event.preventDefault();
    }
  }

  function prepare(spec) {
    const plot = { ...spec, figure: document.getElementById('plot-' + spec.id) };
    plot.host = plot.figure.querySelector('.canvas');
    plot.lines = spec.groups.flatMap((group) => {
      const open = new Set(group.x.filter((x, index) => group.open.includes(index)));
      return group.series.map((series) => ({ ...series, open, hidden: false }));
    });
    const tables = spec.groups.map((group) => [group.x, ...group.series.map((series) => series.y)]);
    plot.data = tables.length === 1 ? tables[0] : uPlot.join(tables);
    plot.readout = plot.figure.querySelector('.readout');
    legendOf(plot);
    plot.host.addEventListener('keydown', (event) => moveByKey(event, plot));
    return plot;
  }

  function draw(plot, done) {
    if (plot.chart) plot.chart.destroy();
    const zoom = plot.sync !== null;
    plot.chart = new uPlot({
      width: plot.host.clientWidth, height: plot.host.clientHeight,
      legend: { show: false },
      padding: [10, 24, 0, 0],
      scales: { x: scaleOf(plot.x, !zoom, [], 1.06), y: scaleOf(plot.y, true, plot.limits, plot.bands.length ? 1.17 : 1.06) },
      axes: [axisOf(plot.x, false), axisOf(plot.y, true)],
      cursor: {
        y: false, dataIdx: nearest, points: { show: false }, drag: { x: zoom, y: false },
        sync: zoom ? { key: plot.sync } : undefined,
      },
      series: [{}].concat(plot.lines.map((line) => {
        const style = STYLES[line.style];
        return { label: line.label, show: !line.hidden, stroke: colour(style.colour), width: style.width || 1.75,
          dash: style.dash, points: { show: false } };
      })),
      hooks: {
        drawAxes: [(u) => drawGround(u, plot)],
        draw: [(u) => { drawMarks(u, plot); done(); }],
        setCursor: [(u) => readOut(u, plot)],
      },
    }, plot.data, plot.host);
  }

  const plots = JSON.parse(document.getElementById('plots').textContent).map(prepare);
  const waiting = new Set(plots);
  const settle = () => { if (!waiting.size) root.dataset.plots = 'drawn'; };
  const drawAll = () => plots.forEach((plot) => draw(plot, () => { waiting.delete(plot); settle(); }));
  drawAll();
  settle();

  const sizes = new ResizeObserver((entries) => entries.forEach(({ target }) => {
    const { chart } = plots.find((plot) => plot.host === target);
    if (chart.width !== target.clientWidth || chart.height !== target.clientHeight) {
      chart.setSize({ width: target.clientWidth, height: target.clientHeight });
    }
  }));
  plots.forEach((plot) => sizes.observe(plot.host));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
  addEventListener('beforeprint', () => { root.dataset.print = ''; drawAll(); });
  addEventListener('afterprint', () => { delete root.dataset.print; drawAll(); });
})();
