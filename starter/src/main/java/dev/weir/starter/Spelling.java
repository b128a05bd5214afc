package dev.weir.starter;

/** How far two names are from each other. */
final class Spelling {

    private Spelling() {}

    /**
     * Letters to insert, delete, replace or swap with their neighbour (optimal string alignment, after Damerau 1964,
     * https://doi.org/10.1145/363958.363994).
     */
    static int distance(String one, String other) {
        int[][] least = new int[one.length() + 1][other.length() + 1];
        for (int i = 0; i <= one.length(); i++) {
            for (int j = 0; j <= other.length(); j++) {
                least[i][j] = i == 0 || j == 0 ? i + j : step(least, one, other, i, j);
            }
        }
        return least[one.length()][other.length()];
    }

    private static int step(int[][] least, String one, String other, int i, int j) {
        boolean same = one.charAt(i - 1) == other.charAt(j - 1);
        int best = Math.min(least[i - 1][j - 1] + (same ? 0 : 1), 1 + Math.min(least[i - 1][j], least[i][j - 1]));
        boolean swapped =
                i > 1 && j > 1 && one.charAt(i - 1) == other.charAt(j - 2) && one.charAt(i - 2) == other.charAt(j - 1);
        return swapped ? Math.min(best, 1 + least[i - 2][j - 2]) : best;
    }
}
