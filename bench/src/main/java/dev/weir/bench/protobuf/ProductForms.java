package dev.weir.bench.protobuf;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.weir.bench.protobuf.wire.ProductMessage;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/**
 * How many products a second does one thread write and read, as JSON with Jackson 3 and as protobuf? Command:
 * bench/protobuf. The content is the same in both forms; it goes round {@value #PRODUCTS} products, so that no branch
 * learns a single one by heart.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(2)
public class ProductForms {

    static final int PRODUCTS = 256;

    /** What a product consists of. */
    public enum Content {
        NUMBERS,
        TEXT;

        Detail product(long seed) {
            return this == NUMBERS ? Detail.ofNumbers(seed) : Detail.ofText(seed);
        }
    }

    @Param
    Content content = Content.NUMBERS;

    private final JsonMapper mapper = JsonMapper.builder().build();
    private final ObjectWriter writer = mapper.writerFor(Detail.class);
    private final ObjectReader reader = mapper.readerFor(Detail.class);
    private final Detail[] products = new Detail[PRODUCTS];
    private final ProductMessage[] messages = new ProductMessage[PRODUCTS];
    private final byte[][] json = new byte[PRODUCTS][];
    private final byte[][] protobuf = new byte[PRODUCTS][];
    private int turn;

    @Setup
    public void fill() {
        for (int i = 0; i < PRODUCTS; i++) {
            products[i] = content.product(i);
            messages[i] = products[i].message();
            json[i] = writer.writeValueAsBytes(products[i]);
            protobuf[i] = messages[i].toByteArray();
        }
    }

    @Benchmark
    public byte[] jsonWrite() {
        return mapper.writeValueAsBytes(products[next()]);
    }

    @Benchmark
    public byte[] jsonWritePrepared() {
        return writer.writeValueAsBytes(products[next()]);
    }

    /** From a message that is already there, as the mission's figure. */
    @Benchmark
    public byte[] protobufWrite() {
        return messages[next()].toByteArray();
    }

    /** From the record, as JSON is: the message is built first. */
    @Benchmark
    public byte[] protobufBuildAndWrite() {
        return products[next()].message().toByteArray();
    }

    @Benchmark
    public Detail jsonRead() {
        return reader.readValue(json[next()]);
    }

    @Benchmark
    public ProductMessage protobufRead() throws InvalidProtocolBufferException {
        return ProductMessage.parseFrom(protobuf[next()]);
    }

    /** Mean bytes of a product: JSON, then protobuf. */
    double[] meanBytes() {
        fill();
        double[] sums = new double[2];
        for (int i = 0; i < PRODUCTS; i++) {
            sums[0] += (double) json[i].length / PRODUCTS;
            sums[1] += (double) protobuf[i].length / PRODUCTS;
        }
        return sums;
    }

    private int next() {
        turn = (turn + 1) & (PRODUCTS - 1);
        return turn;
    }
}
