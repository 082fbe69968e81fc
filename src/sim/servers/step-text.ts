/** Text of whole steps without decimal arithmetic: the book writes thousands of prices a second. */
import type { Decimal } from "../../core/decimal.ts";

/** Plain decimal text of `count * step`, without trailing zeros, for counts whose product is a safe integer. */
export function stepText(step: Decimal): (count: number) => string {
  const places = step.decimalPlaces();
  const units = Number(step.mul(`1e${places}`).toFixed());
  return (count) => {
    const whole = count * units;
    if (!Number.isSafeInteger(whole) || whole < 0) return step.mul(count).toFixed();
    if (places === 0) return String(whole);
    const digits = String(whole).padStart(places + 1, "0");
    const fraction = digits.slice(-places).replace(/0+$/, "");
    const integer = digits.slice(0, -places);
    return fraction === "" ? integer : `${integer}.${fraction}`;
  };
}

/** A float of the bars as plain text: eight decimals at most, no trailing zeros, no exponent. */
export function floatText(value: number): string {
  const text = value.toFixed(8);
  return text.replace(/\.?0+$/, "");
}
