package dev.weir.core.watch;

import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Pins by place, bounded. Written by the one thread of the stream, read by any. */
final class PinnedSites {

    private final int maxSites;
    private final Map<String, PinnedSite> bySite = new LinkedHashMap<>();
    private long count;
    private Duration total = Duration.ZERO;

    PinnedSites(int maxSites) {
        this.maxSites = maxSites;
    }

    /** Whether this is the first pin at a place that is kept. */
    synchronized boolean add(Pin pin) {
        count++;
        total = total.plus(pin.duration());
        String site = pin.site();
        PinnedSite known = bySite.get(site);
        if (known != null) {
            bySite.put(site, known.and(pin));
            return false;
        }
        if (bySite.size() >= maxSites) {
            return false;
        }
        bySite.put(site, new PinnedSite(pin));
        return true;
    }

    synchronized long count() {
        return count;
    }

    synchronized Duration total() {
        return total;
    }

    synchronized List<PinnedSite> worstFirst() {
        return bySite.values().stream()
                .sorted(Comparator.comparing(PinnedSite::total).reversed())
                .toList();
    }
}
