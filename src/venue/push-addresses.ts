/**
 * How the pushes of each subscription begin, byte by byte, learnt from one that was parsed. The next push that begins with the
 * same bytes has the same address, and nothing of it needs to be parsed to know that.
 */
import { isRecord } from "../core/record.ts";
import { type ByteForm } from "../protocol/market-bytes/figure-bytes.ts";
import { byteFormOf } from "../protocol/market-bytes/byte-form.ts";
import { intervalOf, type PushAddress } from "./market-push.ts";

/** A push of this subscription begins with `prefix`, up to the value of its `data`. */
export interface KnownAddress extends PushAddress {
  readonly prefix: Uint8Array;
  readonly form: ByteForm;
}

/** For one connection. */
export interface PushAddresses {
  /** The address of the text in the first `length` bytes; null if none of those known begins like it. */
  find(bytes: Uint8Array, length: number): KnownAddress | null;
  /** Learns from a push that was parsed and found valid. */
  learn(bytes: Uint8Array, length: number, frame: Readonly<Record<string, unknown>>, push: PushAddress): void;
}

const CLOSE = 125;
const DATA = Buffer.from(',"data":');
/** More than any connection has subscriptions. */
const KNOWN_MAX = 4_096;

/** The bytes of `arg` up to its bracket, as one number; 0 if there is no bracket. */
function hashOf(bytes: Uint8Array, length: number): number {
  let hash = 17;
  for (let at = 0; at < length; at++) {
    const code = bytes[at] ?? 0;
    if (code === CLOSE) return hash;
    hash = (Math.imul(hash, 31) + code) | 0;
  }
  return 0;
}

function beginsWith(bytes: Uint8Array, length: number, prefix: Uint8Array): boolean {
  if (length < prefix.length) return false;
  for (let at = 0; at < prefix.length; at++) if (bytes[at] !== prefix[at]) return false;
  return true;
}

export function createPushAddresses(): PushAddresses {
  const known = new Map<number, KnownAddress>();
  return {
    find: (bytes, length) => {
      const address = known.get(hashOf(bytes, length));
      return address !== undefined && beginsWith(bytes, length, address.prefix) ? address : null;
    },
    learn: (bytes, length, frame, push) => {
      const prefix = prefixOf(bytes, length, frame);
      const arg = isRecord(frame.arg) ? frame.arg : {};
      const form = byteFormOf(push.channel, intervalOf(arg.interval));
      if (!prefix || !form || known.size >= KNOWN_MAX) return;
      known.set(hashOf(prefix, prefix.length), { ...push, prefix, form });
    },
  };
}

/** The bytes up to the value of `data`, if they say no more than the `arg` of the frame; null otherwise. */
function prefixOf(bytes: Uint8Array, length: number, frame: Readonly<Record<string, unknown>>): Uint8Array | null {
  const end = bytes.subarray(0, length).indexOf(CLOSE) + 1 + DATA.length;
  const prefix = Buffer.from(bytes.subarray(0, end));
  if (!prefix.subarray(-DATA.length).equals(DATA)) return null;
  try {
    const read = JSON.parse(`${prefix.toString("utf8")}null}`) as unknown;
    return JSON.stringify(read) === JSON.stringify({ arg: frame.arg, data: null }) ? prefix : null;
  } catch {
    return null;
  }
}
