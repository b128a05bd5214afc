package dev.weir.store.start;

import java.io.IOException;
import java.nio.file.Path;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Tells the starting process where the store listens, once it does. */
@Component
class StartListener {

    private final StartSettings settings;

    StartListener(StartSettings settings) {
        this.settings = settings;
        if (settings.exitWithPid() != null) {
            ParentProcess.exitWith(settings.exitWithPid());
        }
    }

    @EventListener
    void ready(ApplicationReadyEvent event) throws IOException {
        Path file = settings.portFile();
        if (file != null
                && event.getApplicationContext() instanceof WebServerApplicationContext context
                && context.getWebServer() != null) {
            PortFile.write(file, context.getWebServer().getPort());
        }
    }
}
