package dev.weir.lab.knee;

/**
 * One second of a step.
 *
 * @param offered requests scheduled in it
 * @param answered requests that ended in it, well or not
 * @param succeeded those that ended well
 */
public record StepSecond(double offered, double answered, double succeeded) {}
