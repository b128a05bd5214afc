package dev.weir.lab.knee;

/**
 * The Universal Scalability Law, X(N) = lambda N / (1 + sigma (N - 1) + kappa N (N - 1)), N the requests in flight.
 * Source: Gunther, A General Theory of Computational Scalability, 2008, https://arxiv.org/abs/0808.1431.
 *
 * @param lambda throughput of one request in flight, per second
 * @param sigma contention, 0 to 1
 * @param kappa coherency, 0 or more
 * @param peakInFlight sqrt((1 - sigma) / kappa); infinite where kappa is 0
 * @param relativeError root mean square error / mean throughput
 */
public record Usl(double lambda, double sigma, double kappa, double peakInFlight, double relativeError) {}
