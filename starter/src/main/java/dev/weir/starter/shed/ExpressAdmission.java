package dev.weir.starter.shed;

import dev.weir.core.express.ExpressRoute;
import dev.weir.core.shed.Admission;

/**
 * Lets the poller answer while there are places. It holds none: an answer from its memory takes microseconds, and does not count
 * as a latency. Otherwise, and always where callers have quotas, of which the poller knows nothing, the filter decides and
 * counts.
 */
final class ExpressAdmission implements dev.weir.core.express.Admission {

    private final Admission admission;
    private final boolean quota;

    ExpressAdmission(Admission admission, boolean quota) {
        this.admission = admission;
        this.quota = quota;
    }

    @Override
    public boolean admit(ExpressRoute<?, ?> route) {
        return !quota && admission.inFlight() < admission.limit();
    }

    @Override
    public void done(long tookNanos) {}
}
