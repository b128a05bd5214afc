package dev.weir.starter.shed;

import dev.weir.core.shed.Priority;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.server.PathContainer;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.condition.PathPatternsRequestCondition;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPattern;

/**
 * Priorities of annotated handlers, by path and method. All handlers are collected at start, since one without an annotation may be the
 * better match; none are where none is annotated. A request is compared with those patterns only that begin with its first segment
 * or with a variable, the most specific first, as the dispatcher does.
 */
final class HandlerPriorities implements PriorityByHandler, SmartInitializingSingleton {

    private static final Pattern LITERAL_START = Pattern.compile("/([^/{}*?]*)(/.*)?");
    private static final Comparator<Rule> MOST_SPECIFIC_FIRST =
            Comparator.comparingInt(Rule::mapping).thenComparing(Rule::pattern);

    private final ObjectProvider<RequestMappingHandlerMapping> mappings;
    private volatile Index index = new Index(Map.of(), List.of());

    /**
     * A handler by one of its patterns.
     *
     * @param mapping number of the mapping it belongs to, in the order in which they are asked
     * @param methods none for all
     * @param priority null where it says nothing
     */
    private record Rule(
            int mapping,
            PathPattern pattern,
            Set<RequestMethod> methods,
            @Nullable Priority priority) {

        boolean matches(String method, PathContainer path) {
            return takes(method) && pattern.matches(path);
        }

        private boolean takes(String method) {
            String asked = method.equals("HEAD") ? "GET" : method;
            return methods.isEmpty()
                    || methods.stream()
                            .anyMatch(each ->
                                    each.name().equals(asked) || each.name().equals(method));
        }

        boolean sameAs(Rule other) {
            return mapping == other.mapping && pattern.equals(other.pattern);
        }

        Priority worth() {
            return priority == null ? Priority.NORMAL : priority;
        }
    }

    /**
     * All handlers, sorted.
     *
     * @param bySegment those whose pattern begins with a literal segment, in lower case, and those that match any
     * @param others those whose pattern matches any first segment
     */
    private record Index(Map<String, List<Rule>> bySegment, List<Rule> others) {

        static Index of(List<Rule> rules) {
            Map<String, List<Rule>> bySegment = new HashMap<>();
            List<Rule> others = new ArrayList<>();
            for (Rule rule : rules) {
                String segment = literalStart(rule.pattern());
                if (segment == null) {
                    others.add(rule);
                } else {
                    bySegment
                            .computeIfAbsent(segment, unused -> new ArrayList<>())
                            .add(rule);
                }
            }
            for (List<Rule> each : bySegment.values()) {
                each.addAll(others);
                each.sort(MOST_SPECIFIC_FIRST);
            }
            others.sort(MOST_SPECIFIC_FIRST);
            return new Index(bySegment, others);
        }

        private static @Nullable String literalStart(PathPattern pattern) {
            Matcher matcher = LITERAL_START.matcher(pattern.getPatternString());
            return matcher.matches() ? lower(matcher.group(1)) : null;
        }

        boolean isEmpty() {
            return bySegment.isEmpty() && others.isEmpty();
        }

        List<Rule> of(PathContainer path) {
            String segment =
                    path.elements().size() > 1 && path.elements().get(1) instanceof PathContainer.PathSegment first
                            ? first.valueToMatch()
                            : "";
            return bySegment.getOrDefault(lower(segment), others);
        }

        private static String lower(String segment) {
            return segment.toLowerCase(Locale.ROOT);
        }
    }

    HandlerPriorities(ObjectProvider<RequestMappingHandlerMapping> mappings) {
        this.mappings = mappings;
    }

    @Override
    public void afterSingletonsInstantiated() {
        List<Rule> rules = new ArrayList<>();
        List<RequestMappingHandlerMapping> ordered = mappings.orderedStream().toList();
        for (int i = 0; i < ordered.size(); i++) {
            int number = i;
            ordered.get(i).getHandlerMethods().forEach((info, handler) -> rules.addAll(rules(number, info, handler)));
        }
        if (rules.stream().anyMatch(rule -> rule.priority() != null)) {
            index = Index.of(rules);
        }
    }

    private static List<Rule> rules(int mapping, RequestMappingInfo info, HandlerMethod handler) {
        PathPatternsRequestCondition patterns = info.getPathPatternsCondition();
        if (patterns == null) {
            return List.of();
        }
        Priority priority = annotated(handler);
        Set<RequestMethod> methods = Set.copyOf(info.getMethodsCondition().getMethods());
        return patterns.getPatterns().stream()
                .map(pattern -> new Rule(mapping, pattern, methods, priority))
                .toList();
    }

    private static @Nullable Priority annotated(HandlerMethod handler) {
        RequestPriority own = AnnotatedElementUtils.findMergedAnnotation(handler.getMethod(), RequestPriority.class);
        RequestPriority said = own != null
                ? own
                : AnnotatedElementUtils.findMergedAnnotation(handler.getBeanType(), RequestPriority.class);
        return said == null ? null : said.value();
    }

    @Override
    public @Nullable Priority of(HttpServletRequest request) {
        Index all = index;
        if (all.isEmpty()) {
            return null;
        }
        PathContainer path;
        try {
            path = ServletRequestPathUtils.parse(request).pathWithinApplication();
        } catch (IllegalArgumentException e) {
            // A path that the dispatcher will not understand either.
            return null;
        }
        Rule best = best(all.of(path), request.getMethod(), path);
        return best == null ? null : best.priority();
    }

    /** The most important of those that match best. */
    private static @Nullable Rule best(List<Rule> rules, String method, PathContainer path) {
        Rule best = null;
        for (Rule rule : rules) {
            if (best != null && !rule.sameAs(best)) {
                return best;
            }
            if (rule.matches(method, path) && (best == null || rule.worth().compareTo(best.worth()) < 0)) {
                best = rule;
            }
        }
        return best;
    }
}
