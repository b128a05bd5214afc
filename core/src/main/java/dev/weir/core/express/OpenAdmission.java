package dev.weir.core.express;

/** Without a limiter. */
enum OpenAdmission implements Admission {
    INSTANCE;

    @Override
    public boolean admit(ExpressRoute<?, ?> route) {
        return true;
    }

    @Override
    public void done(long tookNanos) {}
}
