package dev.weir.bench.peers;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;

/** Netty with its HTTP codec and epoll, one event loop. */
public final class NettyMain {

    private NettyMain() {}

    public static void main(String[] arguments) throws Exception {
        ByteBuf body = Unpooled.unreleasableBuffer(
                Unpooled.directBuffer(Body.BYTES.length).writeBytes(Body.BYTES).asReadOnly());
        new ServerBootstrap()
                .group(new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory()))
                .channel(EpollServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, 1024)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline().addLast(new HttpServerCodec(), new Answers(body));
                    }
                })
                .bind("127.0.0.1", Integer.parseInt(arguments[0]))
                .sync()
                .channel()
                .closeFuture()
                .sync();
    }

    private static final class Answers extends SimpleChannelInboundHandler<HttpObject> {

        private final ByteBuf body;

        Answers(ByteBuf body) {
            this.body = body;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, HttpObject message) {
            if (message instanceof HttpRequest request) {
                boolean found = request.uri().equals(Body.PATH);
                DefaultFullHttpResponse response = new DefaultFullHttpResponse(
                        HttpVersion.HTTP_1_1,
                        found ? HttpResponseStatus.OK : HttpResponseStatus.NOT_FOUND,
                        found ? body.duplicate() : Unpooled.EMPTY_BUFFER);
                response.headers()
                        .set("Content-Type", "application/json")
                        .setInt("Content-Length", response.content().readableBytes());
                context.write(response, context.voidPromise());
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }
    }
}
