package dev.weir.lab.cli;

/** Exit codes of every {@code weir} command. */
public final class ExitCode {
    /** Done, and every objective that was asked for holds. */
    public static final int OK = 0;
    /** Something broke that should not: a bug of Weir, or a failed part of it. */
    public static final int FAILED = 1;
    /** The command line or a file it names is wrong. */
    public static final int USAGE = 2;
    /** The target refuses, does not resolve, or answers nothing. */
    public static final int UNREACHABLE = 3;
    /** This machine lacks something: a JDK, a port, disk space, a permission. */
    public static final int ENVIRONMENT = 4;
    /** Measured, but an objective that was asked for does not hold. */
    public static final int SLO_FAILED = 99;
    /** Ended by the user (SIGINT); what was measured has been printed. */
    public static final int INTERRUPTED = 130;

    private ExitCode() {}
}
