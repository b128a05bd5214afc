package dev.weir.store.totals;

import dev.weir.store.problems.ProblemException;
import dev.weir.store.problems.ProblemType;
import java.time.LocalDate;
import org.springframework.format.annotation.DateTimeFormat;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class TotalsController {

    private static final int LAST_YEAR = 9999;

    private final TotalsTable table;

    TotalsController(TotalsTable table) {
        this.table = table;
    }

    @GetMapping("/api/totals/{day}")
    DayTotal total(@PathVariable @DateTimeFormat(iso = DateTimeFormat.ISO.DATE) LocalDate day) {
        if (day.getYear() < 1 || day.getYear() > LAST_YEAR) {
            throw new ProblemException(
                    ProblemType.VALIDATION_FAILED,
                    "day is " + day + "; give one such as 2026-12-01, of the years 1 to 9999.");
        }
        return table.find(day).orElseGet(() -> new DayTotal(day, 0, 0));
    }
}
