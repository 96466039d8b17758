// Bundles the extension into dist/extension.js, or with --tests the unit tests into dist/test/.
import { build } from "esbuild";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

const common = {
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node18",
  logLevel: "warning",
};

if (process.argv.includes("--tests")) {
  const files = readdirSync("test").filter((name) => name.endsWith(".test.ts"));
  await build({
    ...common,
    entryPoints: files.map((name) => `test/${name}`),
    outdir: "dist/test",
    external: ["vscode-oniguruma", "vscode-textmate"],
    sourcemap: "inline",
  });
} else {
  // The library of the protocol is most of the size: it is a file of its own, which is read once
  // activation is over.
  await build({
    ...common,
    entryPoints: ["src/extension.ts", "src/run.ts"],
    outdir: "dist",
    external: ["vscode", "./run"],
    supported: { "dynamic-import": false },
    minify: true,
  });
  await build({
    ...common,
    platform: "browser",
    format: "iife",
    target: "es2022",
    entryPoints: ["page/results.ts"],
    outfile: "dist/results.js",
    minify: true,
  });
  await build({
    ...common,
    platform: "browser",
    entryPoints: ["src/web.ts"],
    outfile: "dist/web.js",
    external: ["vscode"],
    minify: true,
  });
  // The pictures are the repository's: without an address of it, a packed page cannot show them.
  mkdirSync("dist", { recursive: true });
  const page = readFileSync("README.md", "utf8").replace(/^!\[.*\n/gm, "");
  const words = page.replace(/\n{3,}/g, "\n\n").replace(/^### .*\n\n(?=#)/gm, "");
  writeFileSync("dist/README.md", words);
}
