export declare function judge(report: string): { readonly code: number; readonly text: string };
