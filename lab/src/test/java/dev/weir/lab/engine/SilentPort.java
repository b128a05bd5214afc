package dev.weir.lab.engine;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A port that is taken and does not listen, so that connecting to it is refused and nobody else gets it meanwhile. */
public record SilentPort(Socket holder) implements AutoCloseable {

    /** Takes one that is free now. */
    public static SilentPort take() throws IOException {
        Socket holder = new Socket();
        holder.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return new SilentPort(holder);
    }

    /** Its number. */
    public int number() {
        return holder.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        holder.close();
    }
}
