/**
 * The port for random numbers. Every draw states its reason, so that a replay that draws for another reason than the first
 * run is detected. The generator is sfc32, seeded through splitmix32: small, fast, and the same everywhere.
 */

export interface Entropy {
  /** A float in [0, 1). */
  next(reason: string): number;
  /** An integer in [min, maxExclusive). */
  int(reason: string, min: number, maxExclusive: number): number;
  /** A draw from the standard normal distribution. */
  normal(reason: string): number;
  /** True with the given probability. */
  chance(reason: string, probability: number): boolean;
  /** An independent generator, the same one for the same parent seed and name. */
  fork(name: string): Entropy;
}

function hash32(text: string, seed: number): number {
  let h = seed ^ 0x9e3779b9;
  for (let i = 0; i < text.length; i++) {
    h = Math.imul(h ^ text.charCodeAt(i), 0x85ebca6b);
    h = (h << 13) | (h >>> 19);
  }
  h ^= h >>> 16;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 13)) >>> 0;
}

/** The same draws for the same seed; only 32 bits of the seed count. Not for secrets. */
export function seededEntropy(seed: number | string): Entropy {
  const root = typeof seed === "number" ? seed >>> 0 : hash32(seed, 0);
  let mix = root;
  const splitmix = (): number => {
    mix = (mix + 0x9e3779b9) | 0;
    let t = mix ^ (mix >>> 16);
    t = Math.imul(t, 0x21f0aaad);
    t ^= t >>> 15;
    t = Math.imul(t, 0x735a2d97);
    return (t ^ (t >>> 15)) >>> 0;
  };
  let a = splitmix();
  let b = splitmix();
  let c = splitmix();
  let d = 1;
  const draw = (): number => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return (t >>> 0) / 4_294_967_296;
  };
  for (let warm = 0; warm < 12; warm++) draw();

  const entropy: Entropy = {
    next: draw,
    int: (_reason, min, maxExclusive) => min + Math.floor(draw() * (maxExclusive - min)),
    normal: () => {
      const u = Math.max(draw(), 1e-12);
      return Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * draw());
    },
    chance: (_reason, probability) => draw() < probability,
    fork: (name) => seededEntropy(hash32(name, root)),
  };
  return entropy;
}
