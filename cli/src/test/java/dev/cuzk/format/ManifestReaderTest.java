package dev.cuzk.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ManifestReaderTest {
  private static final String HEX =
      "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
  private static final String FACTS =
      "'sector_size':'32GiB','registered_proof':'StackedDrg32GiBV1_1',";

  /** Every kind of record once, with apostrophes for quotation marks. */
  private static final String GOOD =
      ("{'version':1,"
              + "'keys':[{'id':'k','format':'zkey','curve':'bn254','section':16,BYTES,"
              + "  'vk':{'path':'vk.json','format':'vk-json',BYTES}},"
              + " {'id':'big','format':'params','curve':'bls12-381','path':'p/big.params',"
              + "  'bytes':1073741825}],"
              + "'programs':[{'id':'p','format':'circom-wasm','section':17,BYTES}],"
              + "'systems':[{'id':'s','format':'r1cs','section':18,BYTES,'x-note':[1,{'a':null}]}],"
              + "'jobs':["
              + "{'name':'a','kind':'circom','key':'k','priority':99,'system':'s',"
              + "  'witness':{'section':19,'format':'wtns',BYTES}},"
              + "{'name':'b','kind':'circom','key':'k','program':'p',"
              + "  'input':{'section':20,'format':'circom-json',BYTES}},"
              + "{'name':'c','kind':'porep','key':'big',FACTS'miner_id':'t01000',"
              + "  'sector_number':7,'input':{'section':21,'format':'c1-json',BYTES}},"
              + "{'name':'d','kind':'snap',FACTS'comm_r_old':'HEX','comm_r_new':'HEX',"
              + "  'comm_d_new':'HEX','inputs':[{'section':22,'format':'base64-array',BYTES}]},"
              + "{'name':'e','kind':'window-post',FACTS'randomness':'HEX','mode':'single',"
              + "  'partition_index':3,"
              + "  'inputs':[{'section':23,'format':'post-sector-bincode',BYTES},"
              + "            {'section':24,'format':'post-sector-bincode',BYTES}]},"
              + "{'name':'f','kind':'winning-post',FACTS'randomness':'HEX',"
              + "  'inputs':[{'section':25,'format':'post-sector-bincode',BYTES}]}"
              + "],'x-made-by':'hand'}")
          .replace("FACTS", FACTS)
          .replace("BYTES", "'bytes':10,'sha256':'HEX'")
          .replace("HEX", HEX)
          .replace('\'', '"');

  private static JsonSchema schema;

  @BeforeAll
  static void readSchema() throws IOException {
    schema =
        JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
            .getSchema(Files.readString(TestFiles.project("docs/manifest.schema.json")));
  }

  private static Manifest read(String json) throws InputException {
    return ManifestReader.read(
        "jobs.json",
        new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)),
        new ManifestReader.Options(false, true, true));
  }

  private static String refusal(String json) {
    return assertThrows(InputException.class, () -> read(json), json).getMessage();
  }

  private static boolean schemaAccepts(String json) throws IOException {
    return schema.validate(new ObjectMapper().readTree(json)).isEmpty();
  }

  @Test
  void shouldReadEveryKindOfRecord() throws InputException, IOException {
    Manifest manifest = read(GOOD);
    assertEquals(2, manifest.keys().size());
    assertEquals(6, manifest.jobs().size());
    assertEquals(12, manifest.refs().size());
    Manifest.Porep porep = (Manifest.Porep) manifest.jobs().get(2).work();
    assertEquals(OptionalLong.of(1000), porep.minerId());
    assertEquals(32L << 30, porep.sectorSize());
    assertEquals("/jobs/4/inputs/1", manifest.jobs().get(4).work().refs().get(1).pointer());
    assertTrue(schemaAccepts(GOOD), () -> GOOD);
  }

  @Test
  void shouldReadWhatTheWriterWrites() throws InputException, IOException {
    String written = new String(ManifestWriter.toJson(read(GOOD)), StandardCharsets.UTF_8);
    assertTrue(schemaAccepts(written), written);
    String again = new String(ManifestWriter.toJson(read(written)), StandardCharsets.UTF_8);
    assertEquals(written, again);
    assertEquals(read(GOOD), read(written));
  }

  /** A change to the good manifest, what the reader says, and whether the schema sees it too. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"version\":1|\"version\":2|/version & line 1 & expected 1 to 1, found 2|true",
        "\"version\":1,||missing & version|true",
        "\"priority\":99|\"priority\":100|/jobs/0/priority & 0 to 99, found 100|true",
        "\"priority\":99|\"priority\":9.5|/jobs/0/priority & fraction|true",
        "\"priority\":99|\"priority\":9e1|fraction or an exponent|false",
        "\"priority\":99|\"priority\":1,\"priority\":1|occurs twice|false",
        "\"priority\":99|\"color\":1|unknown key & /jobs/0/color|true",
        "\"hand\"|1.5|/x-made-by & fraction|false",
        "\"name\":\"b\"|\"name\":\"a\"|/jobs/1/name & same name|false",
        "\"name\":\"b\"|\"name\":\"../b\"|/jobs/1/name & malformed|true",
        "\"name\":\"b\",||/jobs/1 & missing & \"name\"|true",
        "\"key\":\"k\"|\"key\":\"z\"|/jobs/0/key & no such id in /keys|false",
        "\"key\":\"k\",\"priority\"|\"priority\"|/jobs/0 & missing & \"key\"|true",
        "\"program\":\"p\"|\"program\":\"z\"|/jobs/1/program & no such id|false",
        "\"program\":\"p\",||/jobs/1 & missing & \"program\"|true",
        "\"id\":\"big\"|\"id\":\"k\"|/keys/1/id & twice|false",
        "\"curve\":\"bn254\"|\"curve\":\"bn128\"|/keys/0/curve & unknown curve|true",
        "\"format\":\"zkey\"|\"format\":\"ptau\"|/keys/0/format & unknown value|true",
        "\"section\":19|\"section\":15|/jobs/0/witness/section & 16 to|true",
        "\"section\":19|\"section\":\"19\"|/jobs/0/witness/section & an integer|true",
        "\"section\":19,||/jobs/0/witness & either a section or a path|true",
        "\"section\":19|\"section\":19,\"path\":\"w\"|found both|true",
        "p/big.params|../big.params|/keys/1/path & leads outside|false",
        "p/big.params|/big.params|/keys/1/path & leads outside|false",
        "1073741825|1073741824|/keys/1 & missing & sha256|false",
        "\"t01000\"|\"x01000\"|/jobs/2/miner_id|true",
        "\"sector_number\":7,||/jobs/2 & sector_number|true",
        "32GiB|31GiB|/jobs/2/sector_size|true",
        "c1-json|c1-yaml|/jobs/2/input/format|true",
        "\"mode\":\"single\"|\"mode\":\"chunk\"|/jobs/4/partition_index|true",
        "\"partition_index\":3,||/jobs/4 & partition_index|true",
        "\"kind\":\"snap\"|\"kind\":\"snip\"|/jobs/3/kind & unknown value|true",
        "base64-array|post-sector-bincode|/jobs/3/inputs/0/format|true",
        "],\"x-made|],\"jobs\":[],\"x-made|occurs twice|false",
        "\"hand\"}|\"hand\"} {}|more after the document|false",
        "\"hand\"}|\"hand\"|not valid JSON|false",
      })
  void shouldNameWhatIsWrong(String from, String to, String mention, boolean schemaSees)
      throws IOException {
    assertTrue(GOOD.contains(from), from);
    String bad = GOOD.replaceFirst(Pattern.quote(from), to == null ? "" : to);
    String message = refusal(bad);
    assertTrue(message.startsWith("jobs.json: "), message);
    for (String part : mention.split(" & ")) {
      assertTrue(message.contains(part), message);
    }
    assertEquals(1, message.lines().count(), message);
    if (schemaSees) {
      assertFalse(schemaAccepts(bad), bad);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "1", "{}", "{\"version\":1,\"jobs\":[]}", "nonsense", "\u0000"})
  void shouldRefuseWhatIsNoManifest(String json) {
    assertTrue(refusal(json).startsWith("jobs.json: "));
  }

  @Test
  void shouldRefuseBytesThatAreNotUtf8() {
    byte[] bytes = GOOD.getBytes(StandardCharsets.UTF_8);
    bytes[GOOD.indexOf("hand")] = (byte) 0xff;
    InputException e =
        assertThrows(
            InputException.class,
            () ->
                ManifestReader.read(
                    "jobs.json",
                    new ByteArrayInputStream(bytes),
                    new ManifestReader.Options(false, true, true)));
    assertTrue(e.getMessage().contains("not UTF-8"), e.getMessage());
  }

  @Test
  void shouldRefuseSectionsOutsideAContainerAndAllowPathsOnRequest() throws InputException {
    String outside = GOOD.replace("p/big.params", "../big.params");
    Manifest manifest =
        ManifestReader.read(
            "jobs.json",
            new ByteArrayInputStream(outside.getBytes(StandardCharsets.UTF_8)),
            new ManifestReader.Options(true, true, true));
    assertEquals("../big.params", manifest.keys().get(1).file().path().orElseThrow());
    InputException e =
        assertThrows(
            InputException.class,
            () ->
                ManifestReader.read(
                    "jobs.json",
                    new ByteArrayInputStream(GOOD.getBytes(StandardCharsets.UTF_8)),
                    new ManifestReader.Options(false, true, false)));
    assertTrue(e.getMessage().contains("/keys/0/section"), e.getMessage());
  }

  @Test
  void shouldRefuseDeepNesting() {
    String deep = "[".repeat(5000) + "]".repeat(5000);
    String message = refusal(GOOD.replace("\"hand\"", deep));
    assertTrue(message.contains("not valid JSON"), message);
  }
}
