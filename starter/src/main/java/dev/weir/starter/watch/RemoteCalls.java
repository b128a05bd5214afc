package dev.weir.starter.watch;

import dev.weir.core.watch.Budget;
import dev.weir.core.watch.CurrentBudget;
import dev.weir.core.watch.Kind;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.transport.RequestReplySenderContext;

/**
 * Tells the budget of calls of other services, as every client reports them that Micrometer observes: RestClient, RestTemplate,
 * WebClient and others. An observation begins on the caller's thread and ends with its answer, on whichever thread.
 */
final class RemoteCalls implements ObservationHandler<RequestReplySenderContext<?, ?>> {

    private record Call(Budget budget, long begunNanos) {}

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof RequestReplySenderContext;
    }

    @Override
    public void onStart(RequestReplySenderContext<?, ?> context) {
        Budget budget = CurrentBudget.get();
        if (budget != null) {
            context.put(Call.class, new Call(budget, budget.begin(Kind.REMOTE)));
        }
    }

    @Override
    public void onError(RequestReplySenderContext<?, ?> context) {
        Call call = context.get(Call.class);
        Throwable error = context.getError();
        if (call != null && error != null) {
            call.budget().failed(Kind.REMOTE, error);
        }
    }

    @Override
    public void onStop(RequestReplySenderContext<?, ?> context) {
        Call call = context.get(Call.class);
        if (call != null) {
            call.budget().end(Kind.REMOTE, call.begunNanos(), new Address(context));
        }
    }

    /** Which call it is, by the template of its address. */
    private record Address(Observation.Context context) {

        @Override
        public String toString() {
            return value("method") + ' ' + value("client.name") + ' ' + value("uri");
        }

        private String value(String key) {
            KeyValue low = context.getLowCardinalityKeyValue(key);
            return low == null ? "?" : low.getValue();
        }
    }
}
