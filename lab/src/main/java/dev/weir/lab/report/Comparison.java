package dev.weir.lab.report;

import dev.weir.lab.check.CheckResult;

/**
 * Two checks of the same target with one change between them.
 *
 * @param change what was changed, in words a user can follow, for example
 *     {@code server.tomcat.threads.max from 200 to 400}
 */
public record Comparison(CheckResult before, CheckResult after, String change) {}
