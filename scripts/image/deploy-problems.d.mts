export declare function composeProblems(text: string, config: string): readonly string[];
export declare function unitProblems(text: string): readonly string[];
export declare function deployProblems(): readonly string[];
