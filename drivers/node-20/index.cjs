"use strict";
const Database = require("better-sqlite3");

/** The driver's native code. The driver's own search for it takes as long as opening a file. */
function nativeCode() {
  try {
    return require.resolve("better-sqlite3/build/Release/better_sqlite3.node");
  } catch {
    throw new Error(
      "The SQLite driver is not compiled. Run `npm rebuild better-sqlite3` (it needs python3, make and a C++ compiler), or use Node 22.14 or newer, where nothing is compiled.",
    );
  }
}

let nativeBinding;

module.exports = class extends Database {
  constructor(file, options) {
    super(file, { ...options, nativeBinding: (nativeBinding ??= nativeCode()) });
  }
};
