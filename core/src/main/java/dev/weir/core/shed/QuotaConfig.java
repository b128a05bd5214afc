package dev.weir.core.shed;

/**
 * What one caller may ask for by itself, however idle the service is.
 *
 * @param perSecond requests a second, above 0
 * @param burst requests at once after a pause, at least 1
 * @param maxCallers how many callers are remembered, 1 to 10,000,000; about 100 bytes each
 */
public record QuotaConfig(double perSecond, int burst, int maxCallers) {

    private static final int MOST_CALLERS = 10_000_000;

    public QuotaConfig {
        if (!(perSecond > 0 && perSecond <= 1e9)) {
            throw new IllegalArgumentException(
                    "The quota is %s a second; it must be above 0 and at most 1e9.".formatted(perSecond));
        }
        if (burst < 1) {
            throw new IllegalArgumentException("The quota's burst is %d; it must be 1 or more.".formatted(burst));
        }
        if (maxCallers < 1 || maxCallers > MOST_CALLERS) {
            throw new IllegalArgumentException(
                    "max-callers is %d; it must lie between 1 and 10,000,000.".formatted(maxCallers));
        }
    }
}
