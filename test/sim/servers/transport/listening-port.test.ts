import { connect } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Rig, startRig } from "../rig.ts";

let rig: Rig;
beforeEach(async () => {
  rig = await startRig();
});
afterEach(() => rig.stop());

/** Sends raw bytes and gives back the first line of what comes. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(rig.port, "127.0.0.1", () => socket.write(text));
    let got = "";
    socket.on("data", (data) => (got += data.toString("utf8")));
    socket.on("error", reject);
    socket.on("close", () => resolve(got.split("\r\n")[0] ?? ""));
  });
}

const handshake = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n` +
  "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

test("unknown paths and malformed request lines are answered, and the service goes on", async () => {
  expect(await raw(handshake("/nowhere"))).toBe("HTTP/1.1 404 Not Found");
  expect(await raw(handshake("//"))).toBe("HTTP/1.1 404 Not Found");
  expect(await raw("GET // HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")).toBe("HTTP/1.1 404 Not Found");
  expect(await raw("nonsense\r\n\r\n")).toBe("HTTP/1.1 400 Bad Request");
  expect((await rig.call("GET", "/api/v1/trading/account")).body.code).toBe(200000);
});

test("a frame larger than any client needs ends its connection and no other", async () => {
  const [loud, calm] = [await rig.socket("/v1/private"), await rig.socket("/v1/private")];
  loud.send("x".repeat(300_000));
  expect(await loud.closing()).toBe(1009);
  calm.send("ping");
  expect(await calm.next()).toBe("pong");
});
