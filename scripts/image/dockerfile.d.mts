export interface Step {
  readonly kind: "run" | "copy";
  readonly command?: string;
  readonly from?: string | null;
  readonly paths?: readonly string[];
  readonly to?: string;
  readonly folder: string;
}

export interface Stage {
  readonly name: string;
  readonly base: string;
  /** False where the base is an earlier stage. */
  readonly image: boolean;
  readonly steps: readonly Step[];
  readonly settings: {
    readonly folder: string;
    readonly env: Readonly<Record<string, string>>;
    readonly user: string;
    readonly volumes: readonly string[];
    readonly health?: readonly string[];
    readonly entrypoint?: readonly string[];
    readonly command?: readonly string[];
    readonly stopSignal?: string;
  };
}

export declare function readDockerfile(text: string): readonly Stage[];
