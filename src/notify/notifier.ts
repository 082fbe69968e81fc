/** What notifications have come to, for the metrics. */
export interface TargetCounts {
  readonly name: string;
  readonly sent: number;
  readonly failed: number;
  readonly dropped: number;
}
/** Since the start of the process. */
export interface NotifyCounts {
  readonly targets: readonly TargetCounts[];
  /** Telegram messages from chats that are not on the list. */
  readonly strangers: number;
}
