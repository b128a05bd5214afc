# Shared by the benches: finds a JDK 25, builds the module, names the machine.
# Sourced with $root set to the repository.

fail() {
    printf '%s: %s\n' "$(basename "$0")" "$1" >&2
    exit 1
}

for jdk in "${JAVA_HOME:-}" /usr/lib/jvm/*25* /usr/lib/jvm/* /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    if [ -x "$jdk/bin/javac" ] && grep -q '^JAVA_VERSION="\(2[5-9]\|[3-9][0-9]\)' "$jdk/release" 2>/dev/null; then
        export JAVA_HOME=$jdk
        break
    fi
done
grep -q '^JAVA_VERSION="\(2[5-9]\|[3-9][0-9]\)' "${JAVA_HOME:-/nowhere}/release" 2>/dev/null ||
    fail "no JDK 25 or later found; set JAVA_HOME to one"

build() { # further modules
    printf 'building ... ' >&2
    mkdir -p "$root/target"
    (cd "$root" && mvn -q -B -DskipTests -pl "$(IFS=,; echo "bench${*:+,$*}")" -am package) >"$root/target/bench-build.log" 2>&1 ||
        fail "the build failed; the log is in target/bench-build.log"
    printf 'done\n' >&2
    class_path=$root/bench/target/classes:$(cat "$root/bench/target/libraries.classpath")
}

# The JVM options of ./weir, so that the benches measure what ships.
weir_java() {
    "$JAVA_HOME/bin/java" -Xms64m -Xmx160m -XX:+UseSerialGC -Xshare:auto --enable-native-access=ALL-UNNAMED \
        -Dlogback.configurationFile=bench-logback.xml -cp "$class_path" "$@"
}

# The JVM options of a service of some size.
service_java() {
    "$JAVA_HOME/bin/java" -Xms512m -Xmx512m -XX:+UseG1GC -Dlogback.configurationFile=bench-logback.xml -cp "$class_path" "$@"
}

machine() {
    cpu=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo 2>/dev/null | head -n 1)
    printf '%s; %s processors of %s; %s %s; load average at the start %s\n' "$(date -u +%Y-%m-%d)" \
        "$(getconf _NPROCESSORS_ONLN)" "${cpu:-unknown type}" "$(uname -s)" "$(uname -r)" \
        "$(cut -d' ' -f1 /proc/loadavg 2>/dev/null || echo unknown)"
    printf 'JDK: %s\n' "$("$JAVA_HOME/bin/java" -version 2>&1 | sed -n 2p)"
}

# Runs a command and keeps what it prints as today's result page, below a title and what standard input says. The page is also
# kept where the command ends with 99: all was measured, and a promise was found broken. Ends as the command did.
page() { # name, title, command and its arguments
    local name=$1 title=$2 status=0
    local part=$root/target/$name.part
    local result=$root/docs/results/$(date -u +%Y-%m-%d)-$name.md
    shift 2
    mkdir -p "$root/target" "$root/docs/results"
    { printf '# %s\n\n' "$title"; machine; echo; cat; echo; } | tee "$part"
    "$@" | tee -a "$part" || status=$?
    [ "$status" = 0 ] || [ "$status" = 99 ] || return "$status"
    mv "$part" "$result"
    printf 'written to %s\n' "docs/results/${result##*/}" >&2
    return "$status"
}
