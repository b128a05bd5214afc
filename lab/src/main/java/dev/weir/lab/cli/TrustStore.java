package dev.weir.lab.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Reads the certificates to trust from a PEM file. */
final class TrustStore {
    private static final int LARGEST_BYTES = 4 << 20;

    static KeyStore read(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] content = in.readNBytes(LARGEST_BYTES + 1);
            if (content.length > LARGEST_BYTES) {
                throw wrong(file, "is larger than 4 MB", null);
            }
            Collection<? extends Certificate> certificates =
                    CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(content));
            if (certificates.isEmpty()) {
                throw wrong(file, "holds no certificate", null);
            }
            return storeOf(certificates);
        } catch (GeneralSecurityException e) {
            throw wrong(file, "holds something that is no certificate", e);
        } catch (IOException e) {
            throw wrong(file, "cannot be read", e);
        }
    }

    private static KeyStore storeOf(Collection<? extends Certificate> certificates)
            throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        int index = 0;
        for (Certificate certificate : certificates) {
            store.setCertificateEntry("authority-" + index++, certificate);
        }
        return store;
    }

    private static UserException wrong(Path file, String what, @Nullable Throwable cause) {
        UserException wrong = new UserException(
                ExitCode.USAGE, "--cacert " + file + " " + what + ": give a file with certificates in PEM format");
        if (cause != null) {
            wrong.initCause(cause);
        }
        return wrong;
    }

    private TrustStore() {}
}
