package dev.weir.store.start;

/** Ties the life of this process to that of the one that started it. */
public final class ParentProcess {

    private ParentProcess() {}

    /**
     * Exits in an orderly way, with 0, once the process with this id has ended, at once when it has already; also when
     * that was killed and could stop nobody.
     */
    public static void exitWith(long pid) {
        Thread.ofPlatform().daemon().name("exit-with-" + pid).start(() -> {
            ProcessHandle.of(pid).ifPresent(parent -> parent.onExit().join());
            System.exit(0);
        });
    }
}
