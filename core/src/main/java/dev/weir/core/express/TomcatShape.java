package dev.weir.core.express;

import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Whether the Tomcat at hand is one the port lane can stand in: it replaces parts that are not a public interface, and a
 * method that lost its name would be overridden no more, without a word. Looks by reflection alone, so that it can be asked
 * before any class of the lane is loaded. Of the version the lane was tested with the shape is enough; any other has to
 * answer a few requests on a loopback port as well.
 */
public final class TomcatShape {

    /** The version that the lane's tests run on. */
    static final String TESTED = "11.0.27";

    private static final String NET = "org.apache.tomcat.util.net.";

    private TomcatShape() {}

    /** Null where the lane fits, else why it does not, part of a sentence. Takes some ten milliseconds the first time. */
    public static @Nullable String mismatch(ClassLoader loader) {
        try {
            checkShape(loader);
            String version = version(loader);
            if (version.startsWith(TESTED + ".") || version.equals(TESTED)) {
                return null;
            }
            String problem = LaneProbe.problem();
            return problem == null ? null : "Tomcat " + version + " answers a trial differently: " + problem;
        } catch (ReflectiveOperationException | LinkageError differs) {
            return "this Tomcat's inside differs from " + TESTED + ", which the lane was tested with (" + differs + ")";
        }
    }

    private static void checkShape(ClassLoader loader) throws ReflectiveOperationException {
        Class<?> endpoint = loader.loadClass(NET + "NioEndpoint");
        Class<?> poller = loader.loadClass(NET + "NioEndpoint$Poller");
        Class<?> wrapper = loader.loadClass(NET + "NioEndpoint$NioSocketWrapper");
        Class<?> channel = loader.loadClass(NET + "NioChannel");
        Class<?> sendfileState = loader.loadClass(NET + "SendfileState");
        Class<?> base = loader.loadClass(NET + "SocketWrapperBase");
        Class<?> buffers = loader.loadClass(NET + "SocketBufferHandler");
        declares(endpoint, "setSocketOptions", boolean.class, SocketChannel.class);
        declares(endpoint, "getPoller", poller);
        declares(endpoint, "setStopLatch", void.class, CountDownLatch.class);
        declares(endpoint, "createChannel", channel, buffers);
        declares(endpoint, "startInternal", void.class);
        declares(endpoint, "stopInternal", void.class);
        holds(endpoint, "poller", poller);
        declares(poller, "processKey", void.class, SelectionKey.class, wrapper);
        declares(poller, "register", void.class, wrapper);
        declares(poller, "add", void.class, wrapper, int.class);
        declares(poller, "reg", void.class, SelectionKey.class, wrapper, int.class);
        declares(poller, "processSendfile", sendfileState, SelectionKey.class, wrapper, boolean.class);
        declares(poller, "destroy", void.class);
        constructs(wrapper, channel, endpoint);
        declares(base, "getLock", ReentrantLock.class);
        declares(base, "getCurrentProcessor", Object.class);
        declares(base, "decrementKeepAlive", int.class);
        declares(base, "setKeepAliveLeft", void.class, int.class);
        declares(base, "flush", boolean.class, boolean.class);
        declares(wrapper, "doClose", void.class);
        declares(wrapper, "updateLastRead", void.class);
        declares(wrapper, "getLastRead", long.class);
        declares(wrapper, "interestOps", int.class, int.class);
        declares(buffers, "isReadBufferEmpty", boolean.class);
        declares(buffers, "configureReadBufferForWrite", void.class);
        declares(buffers, "getReadBuffer", ByteBuffer.class);
        constructs(loader.loadClass("org.apache.coyote.http11.Http11NioProtocol"), endpoint);
    }

    private static void declares(Class<?> type, String method, Class<?> result, Class<?>... parameters)
            throws NoSuchMethodException {
        if (type.getDeclaredMethod(method, parameters).getReturnType() != result) {
            throw new NoSuchMethodException(result.getName() + " " + type.getName() + "." + method);
        }
    }

    private static void constructs(Class<?> type, Class<?>... parameters) throws NoSuchMethodException {
        if (!Modifier.isPublic(type.getConstructor(parameters).getModifiers())) {
            throw new NoSuchMethodException(type.getName() + "(...)");
        }
    }

    private static void holds(Class<?> type, String field, Class<?> fieldType) throws NoSuchFieldException {
        if (type.getDeclaredField(field).getType() != fieldType) {
            throw new NoSuchFieldException(fieldType.getName() + " " + type.getName() + "." + field);
        }
    }

    private static String version(ClassLoader loader) throws ReflectiveOperationException {
        Class<?> info = loader.loadClass("org.apache.catalina.util.ServerInfo");
        return String.valueOf(info.getMethod("getServerNumber").invoke(null));
    }
}
