package dev.weir.core.express;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.catalina.util.ServerInfo;
import org.junit.jupiter.api.Test;

class TomcatShapeTest {

    @Test
    void fitsTheTestedTomcat() {
        assertThat(ServerInfo.getServerNumber()).startsWith(TomcatShape.TESTED);
        assertThat(TomcatShape.mismatch(getClass().getClassLoader())).isNull();
    }

    @Test
    void aTrialAnswersAsItShould() {
        assertThat(LaneProbe.problem()).isNull();
    }

    @Test
    void tellsWhatIsMissing() {
        ClassLoader without = new ClassLoader(getClass().getClassLoader()) {
            @Override
            public Class<?> loadClass(String name) throws ClassNotFoundException {
                if (name.endsWith("NioEndpoint$Poller")) {
                    throw new ClassNotFoundException(name);
                }
                return super.loadClass(name);
            }
        };
        assertThat(TomcatShape.mismatch(without)).contains("inside differs", "NioEndpoint$Poller");
    }
}
