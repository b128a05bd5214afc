package dev.weir.lab.diagnose;

import static dev.weir.lab.diagnose.Inputs.place;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.lab.collect.ServiceSample.Activity;
import dev.weir.lab.collect.ServiceSample.OtherProcess;
import dev.weir.lab.collect.ServiceSample.ThreadUse;
import dev.weir.lab.diagnose.Verdict.Cause;
import dev.weir.lab.diagnose.Verdict.Change;
import dev.weir.lab.knee.Capacity.Limit;
import dev.weir.lab.measure.FailureKind;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DiagnosisTest {

    @Nested
    class WorkerThreads {
        @Test
        void areNamedWhereThreadsByLatencyIsTheCeiling() {
            Verdict verdict = new Inputs()
                    .tomcat(190, 199.6, 200, place(Activity.SLEEPING, 0.98))
                    .verdict();
            assertThat(verdict.cause()).isEqualTo(Cause.WORKER_THREADS);
            assertThat(verdict.sentence())
                    .isEqualTo(
                            "All 200 Tomcat worker threads are busy from 3,980 requests/s on, each request holds one "
                                    + "for 50.2 ms (200 / 0.0502 s = 3,984/s), while the service's CPU is 25 % used.");
            assertThat(verdict.missing()).isEmpty();
        }

        @Test
        void areRaisedAsFarAsTheCpuAllows() {
            Change change = change(new Inputs().tomcat(190, 200, 200));
            assertThat(change.setting()).isEqualTo("server.tomcat.threads.max");
            assertThat(change.from()).isEqualTo("200");
            // (0.8 x 8 - 0.31 x 8) free cores / (2.4 cores / 3,980 a second) = 6,500/s more
            assertThat(change.to()).isEqualTo("650");
            assertThat(change.expectedPerSecond()).isCloseTo(10_480, within(10.0));
            assertThat(change.why()).contains("10,481/s", "0.0502 s", "1.2 for uneven arrivals");
        }

        @Test
        void ofAnExecutorAreFoundByDumpsAndBoundedToFourTimes() {
            Verdict verdict = new Inputs()
                    .cpus(2)
                    .stallsAt(392)
                    .latency(20.4)
                    .service(0.1)
                    .machine(0.2)
                    .dumped(
                            "pool-1-thread-#",
                            "the executor given to HttpServer.setExecutor",
                            7.4,
                            7.9,
                            8,
                            place(Activity.SLEEPING, 1))
                    .verdict();
            assertThat(verdict.cause()).isEqualTo(Cause.WORKER_THREADS);
            assertThat(verdict.sentence())
                    .startsWith("All 8 worker threads (pool-1-thread-#) are busy from 392 requests/s");
            assertThat(verdict.change()).satisfies(change -> {
                assertThat(change.from()).isEqualTo("8 threads");
                assertThat(change.to()).isEqualTo("32 threads");
                assertThat(change.why())
                        .endsWith("in one step; it holds as long as what the threads wait for in "
                                + "shop.Catalog.find:57 does not slow down");
            });
        }

        @Test
        void areFoundByTheirBusyTimeWhereTheLatencyHoldsAQueueToo() {
            Verdict verdict = new Inputs().latency(95).tomcat(188, 200, 200).verdict();
            assertThat(verdict.cause()).isEqualTo(Cause.WORKER_THREADS);
        }

        @Test
        void areNotBlamedWhereAnotherLimitFillsThem() {
            Verdict verdict = new Inputs()
                    .stallsAt(200)
                    .latency(55)
                    .tomcat(10, 200, 200, place(Activity.IO, 1))
                    .verdict();
            assertThat(verdict.cause()).isEqualTo(Cause.UNKNOWN);
            assertThat(verdict.sentence())
                    .contains(
                            "all 200 threads of http-nio-8080 are busy",
                            "the service does 200/s",
                            "they wait for something else that is the limit");
            assertThat(verdict.change()).isNull();
        }

        @Test
        void areNotBlamedBecauseOfAQueueBelowTheKnee() {
            Verdict verdict = new Inputs()
                    .stallsAt(200)
                    .latency(55)
                    .latencyBelowTheKnee(1_000)
                    .tomcat(10, 200, 200, place(Activity.IO, 1))
                    .verdict();
            assertThat(verdict.cause()).isEqualTo(Cause.UNKNOWN);
        }

        @ParameterizedTest
        @ValueSource(strings = {"LOCK", "CONNECTION_POOL"})
        void areNotBlamedWhereTheyWaitForALockOrAConnection(String activity) {
            Verdict verdict = new Inputs()
                    .tomcat(190, 200, 200, place(Activity.valueOf(activity), 0.9))
                    .verdict();
            assertThat(verdict.cause()).isEqualTo(Cause.UNKNOWN);
            assertThat(verdict.sentence()).contains("shop.Catalog.find:57", "more threads would only wait too");
        }

        @Test
        void areNotBlamedWhereTheyWaitForACpu() {
            Verdict verdict = new Inputs().runDelay(120).tomcat(190, 200, 200).verdict();
            assertThat(verdict.cause()).isEqualTo(Cause.UNKNOWN);
            assertThat(verdict.sentence()).contains("they run or wait for a CPU");
        }

        @Test
        void areNotBlamedWhereTheServicesCpuIsFull() {
            Verdict verdict = new Inputs()
                    .service(7.4)
                    .machine(0.98)
                    .tomcat(190, 200, 200, place(Activity.SLEEPING, 1))
                    .verdict();
            assertThat(verdict.cause()).isEqualTo(Cause.CPU);
        }

        @Test
        void areNamedThoughOtherProcessesFillTheMachine() {
            Verdict verdict = new Inputs()
                    .service(0.5)
                    .machine(0.99)
                    .tomcat(190, 200, 200, place(Activity.SLEEPING, 1))
                    .verdict();
            assertThat(verdict.cause()).isEqualTo(Cause.WORKER_THREADS);
            assertThat(change(new Inputs().service(0.5).machine(0.99).tomcat(190, 200, 200))
                            .expectedPerSecond())
                    .isNull();
        }

        @Test
        void areNamedThoughTheyWaitForACpuOnAMachineOthersFill() {
            Verdict verdict = new Inputs()
                    .cpus(2)
                    .stallsAt(330)
                    .latency(24)
                    .service(0.1)
                    .machine(1)
                    .generator(0.1, 0.1)
                    .runDelay(3)
                    .busiestThread("pool-1-thread-1", 0.01, 0.3)
                    .dumped("pool-1-thread-#", null, 2.4, 7.8, 8, place(Activity.SLEEPING, 1))
                    .verdict();
            assertThat(verdict.cause()).isEqualTo(Cause.WORKER_THREADS);
        }

        @Test
        void ofTheSmallerPoolAreNamedWhereThoseOfTheServerWaitForThem() {
            Verdict verdict = new Inputs()
                    .stallsAt(160)
                    .latency(50)
                    .tomcat(7.6, 200, 200, place(Activity.WAITING, 1))
                    .dumped("elastic-#", null, 7.6, 8, 8, place(Activity.IO, 1))
                    .verdict();
            assertThat(verdict.sentence()).startsWith("All 8 worker threads (elastic-#)");
            assertThat(verdict.change())
                    .satisfies(
                            change -> assertThat(change.setting()).isEqualTo("the size of the thread pool elastic-#"));
        }

        @Test
        void areNotBlamedWhereSomeAreIdle() {
            Verdict verdict = new Inputs().tomcat(60, 70, 200).verdict();
            assertThat(verdict.cause()).isEqualTo(Cause.UNKNOWN);
            assertThat(verdict.sentence()).contains("70 of 200 threads of http-nio-8080 are busy");
        }

        @Test
        void cannotBeJudgedWhereNoRateWasSustained() {
            Verdict verdict =
                    new Inputs().nothingSustained().tomcat(0, 200, 200).verdict();
            assertThat(verdict.cause()).isEqualTo(Cause.UNKNOWN);
            assertThat(verdict.sentence()).startsWith("The service sustained no rate that was tried");
            assertThat(verdict.missing()).anyMatch(line -> line.contains("start the search at a lower rate"));
        }

        @Test
        void areNotBlamedOnVirtualThreads() {
            Verdict verdict = new Inputs().virtualThreads().verdict();
            assertThat(verdict.cause()).isEqualTo(Cause.UNKNOWN);
            assertThat(verdict.missing()).anyMatch(line -> line.contains("Thread.dump_to_file -format=json"));
        }
    }

    @Nested
    class Cpu {
        @Test
        void isNamedWithTheHottestFrameWhereTheServiceUsesItsOwn() {
            Verdict verdict = new Inputs()
                    .cpus(2)
                    .stallsAt(500)
                    .service(1.8)
                    .machine(0.99)
                    .generator(0.1, 0.1)
                    .runDelay(20)
                    .hot("shop.Json.write:40", 0.7)
                    .tomcat(150, 200, 200, place(Activity.RUNNING, 1))
                    .verdict();
            assertThat(verdict.cause()).isEqualTo(Cause.CPU);
            assertThat(verdict.sentence())
                    .isEqualTo("From 500/s on the service uses 1.80 cores of its 2 CPUs (90 %), 3,600 µs a request, "
                            + "most often seen in shop.Json.write:40.");
            assertThat(verdict.evidence()).anyMatch(evidence -> evidence.value().equals("70 %"));
            assertThat(verdict.change()).isNull();
        }

        @Test
        void isNamedOnVirtualThreadsToo() {
            assertThat(new Inputs()
                            .service(7.5)
                            .machine(1)
                            .virtualThreads()
                            .verdict()
                            .cause())
                    .isEqualTo(Cause.CPU);
        }

        @Test
        void isNamedOnAFullMachineOfWhichTheServiceTakesMost() {
            Verdict verdict = new Inputs()
                    .cpus(2)
                    .service(1.2)
                    .generator(0.4, 0.4)
                    .machine(0.98)
                    .verdict();
            assertThat(verdict.cause()).isEqualTo(Cause.CPU);
            assertThat(verdict.sentence())
                    .contains("1.20 cores, beside 0.40 cores of the generator and 0.36 cores of other processes");
        }

        @Test
        void ofAQuotaIsNamedThoughTheMachineIdles() {
            Verdict verdict =
                    new Inputs().service(0.28).machine(0.1).quota(0.3, 0.9).verdict();
            assertThat(verdict.cause()).isEqualTo(Cause.CPU);
            assertThat(verdict.sentence()).contains("quota of 0.30 cores", "stands still 90 % of the time");
            assertThat(verdict.change())
                    .satisfies(change -> assertThat(change.to()).isEqualTo("0.60 cores"));
        }

        @Test
        void ofOneThreadIsNamed() {
            Verdict verdict = new Inputs()
                    .service(1.1)
                    .machine(0.2)
                    .busiestThread("event-loop-0", 0.98, 0.0)
                    .verdict();
            assertThat(verdict.cause()).isEqualTo(Cause.CPU);
            assertThat(verdict.sentence())
                    .isEqualTo(
                            "From 3,980/s on one thread of the service, event-loop-0, is never idle: it runs 98 % of "
                                    + "the time, 246 µs a request, so one thread ends at about 4,061/s, while the service as a "
                                    + "whole uses 14 % of its CPUs.");
        }

        @Test
        void ofOneThreadIsNamedWhereTheGeneratorTakesALittleOfIt() {
            Verdict verdict = nginx(0.88, 0.08).verdict();
            assertThat(verdict.cause()).isEqualTo(Cause.CPU);
            assertThat(verdict.sentence())
                    .contains(
                            "runs 88 % of the time and waits for a CPU 8 %",
                            "25 µs a request, so one thread ends at about 40,125/s");
            assertThat(verdict.change()).satisfies(change -> {
                assertThat(change.inWords()).startsWith("spread the work of nginx over more threads or processes");
                // 0.26 free cores / ((0.89 + 0.71 cores) / 35,310 a second) = 5,738/s more
                assertThat(change.why()).contains("0.26 cores are free, enough for at most 41,048/s");
            });
        }

        /** As measured of one nginx worker on two CPUs that it shared with the generator, at 30,000/s to 38,830/s. */
        @ParameterizedTest
        @CsvSource({"0.859, 0.092", "0.898, 0.070", "0.978, 0.019"})
        void ofOneThreadIsNamedForRealWorkers(double runs, double waits) {
            assertThat(nginx(runs, waits).verdict().cause()).isEqualTo(Cause.CPU);
        }

        @Test
        void ofOneThreadIsNamedWithoutACeilingWhereARequestCostsMoreBeyondTheLimit() {
            Verdict verdict = nginx(0.95, 0.03).completesAtItsLimit(21_000).verdict();
            assertThat(verdict.cause()).isEqualTo(Cause.CPU);
            assertThat(verdict.sentence()).contains("45 µs a request, while").doesNotContain("one thread ends");
        }

        @Test
        void ofOneThreadIsNamedWhereTheSystemDoesNotTellHowLongItWaits() {
            Verdict verdict = nginx(0.93, null).verdict();
            assertThat(verdict.cause()).isEqualTo(Cause.CPU);
        }

        @Test
        void ofOneThreadIsNotNamedWhereTheThreadIsAsBusyAtAnyRate() {
            Verdict verdict = nginx(0.97, 0.01)
                    .inTheLightestStep(new ThreadUse("nginx", 0.97, 0.01))
                    .verdict();
            assertThat(verdict.cause()).isEqualTo(Cause.UNKNOWN);
        }

        @Test
        void ofOneThreadGivesWayToDirectEvidenceWhereNoLighterStepShowsIt() {
            Inputs inputs = nginx(0.97, 0.01).inTheLightestStep(null);
            assertThat(inputs.verdict().cause()).isEqualTo(Cause.CPU);
            assertThat(inputs.generator(0.97, 0.97).verdict().cause()).isEqualTo(Cause.GENERATOR);
        }

        @Test
        void ofOneThreadIsNotNamedWhereTheThreadIdles() {
            assertThat(nginx(0.7, 0.1).verdict().cause()).isEqualTo(Cause.UNKNOWN);
        }
    }

    private static Inputs nginx(double runs, @Nullable Double waits) {
        return new Inputs()
                .cpus(2)
                .stallsAt(35_310)
                .service(runs + 0.01)
                .machine(0.87)
                .generator(0.6, 0.71)
                .busiestThread("nginx", runs, waits);
    }

    @Nested
    class Generator {
        @Test
        void isNamedWhereItsThreadIsFull() {
            Verdict verdict = new Inputs().generator(0.97, 1).verdict();
            assertThat(verdict.cause()).isEqualTo(Cause.GENERATOR);
            assertThat(verdict.sentence()).contains("busiest thread works 97 % of the time");
        }

        @Test
        void isNamedNearItsCalibratedRate() {
            assertThat(new Inputs()
                            .stallsAt(40_000)
                            .calibrated(42_000)
                            .limit(Limit.GENERATOR)
                            .verdict()
                            .cause())
                    .isEqualTo(Cause.GENERATOR);
        }

        @Test
        void isNamedWhereItTakesTheCpuFromTheServicesOneThread() {
            Verdict verdict =
                    nginx(0.55, 0.42).generator(0.7, 1.2).machine(0.99).verdict();
            assertThat(verdict.cause()).isEqualTo(Cause.GENERATOR);
            assertThat(verdict.sentence())
                    .isEqualTo(
                            "At 35,310/s the service's busiest thread, nginx, runs 55 % of the time and is ready but "
                                    + "waits for a CPU 42 %: with a CPU of its own it could do up to 76 % more; what it "
                                    + "lacks goes to the generator (1.20 cores) and other processes (0.22 cores).");
        }

        @Test
        void isNotNamedWhereTheServicesThreadsTakeTheCpuFromEachOther() {
            Verdict verdict = new Inputs()
                    .cpus(2)
                    .stallsAt(500)
                    .service(1.8)
                    .machine(0.99)
                    .generator(0.1, 0.1)
                    .busiestThread("http-nio-8080-e", 0.02, 0.95)
                    .verdict();
            assertThat(verdict.cause()).isEqualTo(Cause.CPU);
        }

        @Test
        void isNamedOnAFullMachineOfWhichTheServiceTakesLess() {
            Verdict verdict = new Inputs()
                    .cpus(2)
                    .service(0.7)
                    .generator(0.5, 0.9)
                    .machine(0.97)
                    .verdict();
            assertThat(verdict.cause()).isEqualTo(Cause.GENERATOR);
            assertThat(verdict.sentence())
                    .endsWith("not by the service but by the generator (0.90 cores) and other processes (0.34 cores).");
        }

        @Test
        void namesOtherProcessesWhereTheyTakeMore() {
            Verdict verdict = new Inputs()
                    .cpus(2)
                    .service(0.3)
                    .generator(0.2, 0.2)
                    .machine(0.97)
                    .others(new OtherProcess(12, "java Batch", 0.95))
                    .verdict();
            assertThat(verdict.sentence())
                    .contains(
                            "by other processes (1.44 cores, the busiest java Batch (process 12) 0.95 cores) and the generator");
            assertThat(verdict.evidence()).anyMatch(evidence -> evidence.what().equals("busiest other processes"));
            assertThat(verdict.change()).satisfies(change -> {
                assertThat(change.inWords()).startsWith("move the other processes");
                assertThat(change.why()).contains("check again before changing anything");
            });
        }

        @Test
        void isNamedForARemoteServiceWhereItFillsItsOwnMachine() {
            assertThat(new Inputs()
                            .unwatched()
                            .cpus(2)
                            .generator(0.8, 1.6)
                            .machine(0.95)
                            .verdict()
                            .cause())
                    .isEqualTo(Cause.GENERATOR);
        }

        @Test
        void isNamedWhereTheSearchCouldNotOfferMore() {
            assertThat(new Inputs().limit(Limit.GENERATOR).verdict().cause()).isEqualTo(Cause.GENERATOR);
        }

        @Test
        void leavesAMachineTheServiceFillsToTheService() {
            assertThat(new Inputs()
                            .cpus(2)
                            .limit(Limit.GENERATOR)
                            .service(1.4)
                            .generator(0.3, 0.4)
                            .machine(0.97)
                            .verdict()
                            .cause())
                    .isEqualTo(Cause.CPU);
        }
    }

    @Nested
    class Unknown {
        @Test
        void isTheVerdictOnAnUnwatchedServiceAndSaysHowToWatch() {
            Verdict verdict = new Inputs().unwatched().verdict();
            assertThat(verdict.cause()).isEqualTo(Cause.UNKNOWN);
            assertThat(verdict.missing()).anyMatch(line -> line.contains("--pid"));
        }

        @Test
        void isTheVerdictWhereTwoCausesFit() {
            Verdict verdict = new Inputs()
                    .generator(0.97, 1)
                    .tomcat(190, 200, 200, place(Activity.SLEEPING, 1))
                    .verdict();
            assertThat(verdict.cause()).isEqualTo(Cause.UNKNOWN);
            assertThat(verdict.sentence()).contains("more than one cause: worker-threads and generator");
        }

        @Test
        void saysThatThreadsWaitForConnections() {
            Verdict verdict = new Inputs()
                    .stallsAt(200)
                    .connections("HikariPool-1", 10, 188, 10)
                    .tomcat(10, 200, 200)
                    .verdict();
            assertThat(verdict.sentence())
                    .contains("188 threads wait for a connection of HikariPool-1, of which 10 of 10 are in use");
        }

        @Test
        void saysWhichRequestsFailedAndWhy() {
            Verdict verdict = new Inputs()
                    .limit(Limit.ERRORS)
                    .failed(
                            Map.of(FailureKind.TIMEOUT, 10L, FailureKind.STATUS, 80L),
                            Map.of(FailureKind.TIMEOUT, "timeout", FailureKind.STATUS, "status 503"))
                    .verdict();
            assertThat(verdict.sentence())
                    .contains("0.21 % of the requests failed: 80 status (status 503), 10 timeout");
        }

        @Test
        void saysThatCollectionsTakeTheTime() {
            assertThat(new Inputs().gc(0.4).verdict().sentence()).contains("garbage collections take 40 % of the time");
        }
    }

    @Test
    void findsNoLimitWhereTheHighestRateWasSustained() {
        Verdict verdict = new Inputs().limit(Limit.MAX_RATE).tomcat(10, 20, 200).verdict();
        assertThat(verdict.cause()).isEqualTo(Cause.NONE);
        assertThat(verdict.change()).isNull();
    }

    private static Change change(Inputs inputs) {
        return Objects.requireNonNull(inputs.verdict().change());
    }
}
