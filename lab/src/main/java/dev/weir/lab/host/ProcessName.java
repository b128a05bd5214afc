package dev.weir.lab.host;

import java.util.Optional;
import java.util.Set;

/** What a process is called for a reader: the program's file name, with the main class or jar where it is Java. */
public final class ProcessName {
    private static final Set<String> NAMES_THE_PROGRAM = Set.of("-jar", "-m", "--module");

    /** Options of the java command whose value is the next argument. */
    private static final Set<String> TAKE_A_VALUE = Set.of(
            "-cp",
            "-classpath",
            "--class-path",
            "-p",
            "--module-path",
            "--upgrade-module-path",
            "--add-modules",
            "--limit-modules",
            "--add-exports",
            "--add-opens",
            "--add-reads",
            "--patch-module",
            "--source");

    /** The process's name; {@code unknown} where it is gone. */
    public static String of(long pid) {
        return ProcessHandle.of(pid)
                .map(ProcessHandle::info)
                .flatMap(ProcessName::of)
                .or(() -> ProcFiles.system().text(pid + "/comm").map(String::strip))
                .orElse("unknown");
    }

    // Another user's process has no command to see, only the name in /proc/PID/comm.
    private static Optional<String> of(ProcessHandle.Info info) {
        return info.command()
                .map(ProcessName::fileName)
                .map(name -> name.equals("java") ? name + mainClass(info) : name);
    }

    private static String mainClass(ProcessHandle.Info info) {
        return info.arguments()
                .flatMap(ProcessName::program)
                .map(main -> " " + main)
                .orElse("");
    }

    static Optional<String> program(String[] arguments) {
        for (int i = 0; i < arguments.length; i++) {
            String argument = arguments[i];
            if (NAMES_THE_PROGRAM.contains(argument)) {
                return i + 1 < arguments.length ? Optional.of(fileName(arguments[i + 1])) : Optional.empty();
            }
            if (TAKE_A_VALUE.contains(argument)) {
                i++;
            } else if (!argument.startsWith("-") && !argument.startsWith("@")) {
                return Optional.of(fileName(argument));
            }
        }
        return Optional.empty();
    }

    private static String fileName(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private ProcessName() {}
}
