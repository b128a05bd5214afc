package dev.weir.lab.compare;

/** One of the two things compared. */
public enum Side {
    /** What there is: the one the other is compared with, and the one the floor is measured on. */
    A,
    /** What it is compared with A. */
    B
}
