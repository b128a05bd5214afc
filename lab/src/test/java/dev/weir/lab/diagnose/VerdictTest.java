package dev.weir.lab.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.lab.diagnose.Verdict.Change;
import org.junit.jupiter.api.Test;

class VerdictTest {

    @Test
    void saysWhatToSetAProperty() {
        assertThat(new Change("server.tomcat.threads.max", "200", "400", "", null).inWords())
                .isEqualTo("server.tomcat.threads.max from 200 to 400");
        assertThat(new Change("server.tomcat.threads.max", null, "400", "", null).inWords())
                .isEqualTo("server.tomcat.threads.max to 400");
    }

    @Test
    void saysWhatToDoWhereNoPropertyIsToBeSet() {
        Change quota = new Change("the CPU quota", "2.00 cores", "4.00 cores", "", null);
        Change place = new Change("where the load comes from", null, "load from another machine", "", null);

        assertThat(quota.setsProperty()).isFalse();
        assertThat(quota.inWords()).isEqualTo("the CPU quota from 2.00 cores to 4.00 cores");
        assertThat(place.inWords()).isEqualTo("load from another machine");
    }
}
