import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;

/** The requests of every client (see clients.ts), with java.net.http. */
public class Client {
    static final String BASE = System.getenv("PETSTORE_BASE_URL");
    static final String KEY = "Bearer " + System.getenv("PETSTORE_API_KEY");
    static final byte[] LARGE = new byte[2_600_000];
    static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    static HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create(BASE + path)).timeout(Duration.ofSeconds(30));
    }

    static HttpRequest.Builder post(BodyPublisher body) {
        return to("/pets").header("Content-Type", "application/json").POST(body);
    }

    static String show(String what, HttpRequest.Builder request, String header) {
        try {
            HttpResponse<String> answer = CLIENT.send(request.build(), BodyHandlers.ofString());
            String shown = answer.headers().firstValue(header).orElse("");
            System.out.println(what + " " + answer.statusCode() + " " + (header.equals("Location") ? "" : shown));
            return shown;
        } catch (Exception problem) {
            System.out.println(what + " " + problem);
            return "";
        }
    }

    public static void main(String[] args) {
        System.out.println("version " + System.getProperty("java.version"));
        Arrays.fill(LARGE, (byte) ' ');
        String once = UUID.randomUUID().toString();
        BodyPublisher animal = BodyPublishers.ofString("{\"name\":\"Rex\",\"categoryId\":9007199254740993}");
        HttpRequest.Builder create = post(animal).header("Authorization", KEY).header("Idempotency-Key", once);
        String location = show("create", create, "Location");
        show("repeat", create, "Idempotent-Replayed");
        show("list", to("/pets?limit=1").header("Authorization", KEY), "");
        show("get", to(location.replace("/v1", "")).header("Authorization", KEY), "");
        show("refused", to("/pets?limit=0").header("Authorization", KEY), "");
        for (int n = 0; n < 12; n++) {
            // The length is unknown, so the body is sent in chunks.
            show("chunked", post(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(LARGE))), "");
            show("declared", post(BodyPublishers.ofByteArray(LARGE)).header("Authorization", KEY), "");
            show("after", to("/pets").header("Authorization", KEY), "");
        }
        if (System.getenv("PETSTORE_EXPECT").isEmpty()) return;
        show("expect", post(animal).header("Authorization", KEY).expectContinue(true), "");
        show("expect-401", post(animal).expectContinue(true), "");
    }
}
