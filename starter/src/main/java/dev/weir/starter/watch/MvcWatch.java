package dev.weir.starter.watch;

import dev.weir.core.watch.Budget;
import dev.weir.core.watch.CurrentBudget;
import dev.weir.core.watch.Kind;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.method.annotation.RequestBodyAdvice;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyAdvice;

/**
 * Tells the budget when Spring MVC reads a body into an object and writes an object out. Both have a hook before them; where a converter
 * fails there is none afterwards, and none at all after writing, so what is open ends with the handler.
 */
@ControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
final class MvcWatch implements RequestBodyAdvice, ResponseBodyAdvice<Object>, HandlerInterceptor {

    private final boolean serverTiming;

    MvcWatch(boolean serverTiming) {
        this.serverTiming = serverTiming;
    }

    @Override
    public boolean supports(
            MethodParameter parameter, Type type, Class<? extends HttpMessageConverter<?>> converterType) {
        return true;
    }

    @Override
    public HttpInputMessage beforeBodyRead(
            HttpInputMessage message,
            MethodParameter parameter,
            Type type,
            Class<? extends HttpMessageConverter<?>> converterType) {
        begin();
        return message;
    }

    @Override
    public Object afterBodyRead(
            Object body,
            HttpInputMessage message,
            MethodParameter parameter,
            Type type,
            Class<? extends HttpMessageConverter<?>> converterType) {
        settle();
        return body;
    }

    @Override
    public @Nullable Object handleEmptyBody(
            @Nullable Object body,
            HttpInputMessage message,
            MethodParameter parameter,
            Type type,
            Class<? extends HttpMessageConverter<?>> converterType) {
        return body;
    }

    @Override
    public boolean supports(MethodParameter returned, Class<? extends HttpMessageConverter<?>> converterType) {
        return true;
    }

    /** The header must be set before the converter sends the head. */
    @Override
    public @Nullable Object beforeBodyWrite(
            @Nullable Object body,
            MethodParameter returned,
            MediaType contentType,
            Class<? extends HttpMessageConverter<?>> converterType,
            ServerHttpRequest request,
            ServerHttpResponse response) {
        Budget budget = CurrentBudget.get();
        if (budget != null) {
            if (serverTiming) {
                response.getHeaders().set("Server-Timing", budget.serverTiming());
            }
            budget.settle(Kind.SERIALIZATION);
            budget.begin(Kind.SERIALIZATION);
        }
        return body;
    }

    @Override
    public void postHandle(
            HttpServletRequest request,
            HttpServletResponse response,
            Object handler,
            @Nullable ModelAndView modelAndView) {
        settle();
    }

    @Override
    public void afterCompletion(
            HttpServletRequest request, HttpServletResponse response, Object handler, @Nullable Exception thrown) {
        settle();
    }

    private static void begin() {
        Budget budget = CurrentBudget.get();
        if (budget != null) {
            budget.begin(Kind.SERIALIZATION);
        }
    }

    static void settle() {
        Budget budget = CurrentBudget.get();
        if (budget != null) {
            budget.settle(Kind.SERIALIZATION);
        }
    }
}
