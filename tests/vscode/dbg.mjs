import { openHouse, until } from "./editor.mjs";
const house = await openHouse();
for (let i = 0; i < 3; i++) {
  const window = await house.window({width:1300, height: 900});
  try {
    await window.command("Developer: Show Running Extensions");
    const row = window.page.locator(".runtime-extensions-editor .monaco-list-row", { hasText: "SQLScribe" });
    await row.waitFor();
    console.log((await row.innerText()).replace(/\n/g, " | "));
  } catch (e) { console.log(String(e).slice(0,100)); }
  await window.close();
}
await house.close();
