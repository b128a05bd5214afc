package dev.weir.starter;

/**
 * One technique as the starter reports it: a row of the table logged at start and of {@code /actuator/weir}. Every
 * feature contributes a bean of this type, also when it is off.
 */
public interface WeirFeature {

    /** The name below {@code weir.} in the configuration, such as {@code cache}. */
    String name();

    /** How the feature stands now. Cheap, does not block; any thread may call it. */
    FeatureStatus status();
}
