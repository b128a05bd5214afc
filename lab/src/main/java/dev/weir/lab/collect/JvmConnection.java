package dev.weir.lab.collect;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import javax.management.Attribute;
import javax.management.InstanceNotFoundException;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.ReflectionException;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * The management interface of one attached JVM. Every call goes to that JVM and blocks until it answers, without bound
 * when it hangs; an {@link UncheckedIOException} or {@link java.lang.reflect.UndeclaredThrowableException} says that it
 * is gone.
 */
final class JvmConnection implements AutoCloseable {
    private final JMXConnector connector;
    private final MBeanServerConnection server;
    private final ThreadMXBean threads;
    private final String jvm;

    private JvmConnection(JMXConnector connector) throws IOException {
        this.connector = connector;
        this.server = connector.getMBeanServerConnection();
        this.threads = proxy(ManagementFactory.THREAD_MXBEAN_NAME, ThreadMXBean.class);
        RuntimeMXBean runtime = proxy(ManagementFactory.RUNTIME_MXBEAN_NAME, RuntimeMXBean.class);
        this.jvm = runtime.getVmName() + " " + runtime.getVmVersion();
    }

    // The address names the agent in a JVM this user was allowed to attach to; it comes from nobody else.
    @SuppressWarnings("BanJNDI")
    static JvmConnection open(String address) throws IOException {
        return new JvmConnection(JMXConnectorFactory.connect(new JMXServiceURL(address)));
    }

    String jvm() {
        return jvm;
    }

    ThreadMXBean threads() {
        return threads;
    }

    <T> T proxy(String name, Class<T> type) throws IOException {
        return ManagementFactory.newPlatformMXBeanProxy(server, name, type);
    }

    /** Names of the beans that match a pattern such as {@code Catalina:type=ThreadPool,*}. */
    Set<ObjectName> names(String pattern) {
        try {
            return server.queryNames(new ObjectName(pattern), null);
        } catch (MalformedObjectNameException e) {
            throw new IllegalArgumentException("Not a pattern of bean names: " + pattern, e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The numeric attributes of a bean that exist among those asked for, in one call; empty where the bean is gone. */
    Map<String, Double> numbers(ObjectName bean, String... attributes) {
        try {
            Map<String, Double> numbers = new HashMap<>();
            for (Attribute attribute : server.getAttributes(bean, attributes).asList()) {
                if (attribute.getValue() instanceof Number number) {
                    numbers.put(attribute.getName(), number.doubleValue());
                }
            }
            return numbers;
        } catch (InstanceNotFoundException | ReflectionException e) {
            return Map.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lets go of the JVM, in the background where the JVM does not answer. The agent in it stays, idle. */
    @Override
    public void close() {
        Thread.ofPlatform().daemon().name("weir-detach").start(this::closeConnector);
    }

    private void closeConnector() {
        try {
            connector.close();
        } catch (IOException e) {
            // The JVM is gone, and with it the connection.
            return;
        }
    }
}
