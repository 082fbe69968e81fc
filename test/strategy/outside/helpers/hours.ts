export interface Hours {
  readonly from: number;
  readonly to: number;
}
export const HOURS: Hours = { from: 10, to: 14 };
