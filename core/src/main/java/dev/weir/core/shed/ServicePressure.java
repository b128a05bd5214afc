package dev.weir.core.shed;

/**
 * How near the whole service is to refusing, for everybody who can give something up before it does. One in a service; any
 * thread may ask, as often as it likes. Never blocks or throws.
 */
public interface ServicePressure {

    /** 0 to 1; {@link Stage} tells what the numbers mean. */
    double pressure();

    /** What should be given up now. */
    Stage stage();

    /** Where nobody measures: nothing is ever given up. */
    static ServicePressure none() {
        return new ServicePressure() {
            @Override
            public double pressure() {
                return 0;
            }

            @Override
            public Stage stage() {
                return Stage.NORMAL;
            }
        };
    }
}
