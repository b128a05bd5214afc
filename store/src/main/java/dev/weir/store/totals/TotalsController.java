package dev.weir.store.totals;

import java.time.LocalDate;
import org.springframework.format.annotation.DateTimeFormat;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class TotalsController {

    private final TotalsTable table;

    TotalsController(TotalsTable table) {
        this.table = table;
    }

    @GetMapping("/api/totals/{day}")
    DayTotal total(@PathVariable @DateTimeFormat(iso = DateTimeFormat.ISO.DATE) LocalDate day) {
        return table.find(day).orElseGet(() -> new DayTotal(day, 0, 0));
    }
}
