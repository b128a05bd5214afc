package dev.weir.lab.diagnose;

/** Looks for one cause. Pure. */
interface Rule {
    Finding judge(DiagnosisInput input);
}
