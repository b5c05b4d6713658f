// What is said to differ between two corpora: nothing that does not, and everything that does.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { diffText } from "../../src/commands/corpus-diff.ts";
import { type Contents, MARK, namedContents, readContents } from "../../src/corpus/contents.ts";
import { diffCorpora, MOST_FIELDS } from "../../src/corpus/diff.ts";
import {
  assetOf,
  corpusRow,
  imageRow,
  makeWorkspace,
  png,
  type TestWorkspace,
  type WorkspaceDraft,
} from "../support/corpus.ts";

const made: TestWorkspace[] = [];
afterEach(() => {
  for (const one of made.splice(0)) one.cleanup();
});
function workspace(draft: WorkspaceDraft = {}): TestWorkspace {
  const one = makeWorkspace(draft);
  made.push(one);
  return one;
}
const read = (draft: WorkspaceDraft = {}): Promise<Contents> => readContents(workspace(draft).open(), "A");

/** A corpus of rows that have one to three fields with one of three values each. */
const contents = fc
  .uniqueArray(
    fc.record({
      id: fc.constantFrom("a", "b", "c", "d", "e", "\u{1f600}", "\uffff"),
      values: fc.array(fc.constantFrom("1", "2", "3"), { minLength: 1, maxLength: 3 }),
    }),
    { selector: ({ id }) => id },
  )
  .map((rows): Contents => {
    const entries = rows.map(({ id, values }) => {
      const names = values.map((_, index) => `field${index}`);
      return [id, { task: "T", names, marks: values.map((value) => value.repeat(MARK)).join("") }] as const;
    });
    const none = { names: [], marks: "" };
    const sha256 = JSON.stringify(rows);
    const pictures = new Map(rows.map(({ id, values }) => [id, values.join("")]));
    const map = new Map(entries);
    return {
      ...{ suite: "s", version: "1", sha256, rows: map, tasks: map, categories: new Map(), pictures },
      manifest: none,
    };
  });

describe("diffCorpora", () => {
  test("a corpus has no difference to itself", () => {
    fc.assert(
      fc.property(contents, (one) => {
        const diff = diffCorpora(one, structuredClone(one), 50);
        expect(diff.same).toBe(true);
        expect(diff.rows).toEqual({
          ...{ removed: 0, changed: 0, added: 0, reordered: false, fields: [], listed: [] },
        });
      }),
    );
  });

  test("seen from the other side removed is added, and everything else is as it was", () => {
    fc.assert(
      fc.property(contents, contents, (one, other) => {
        const there = diffCorpora(one, other, 50);
        const back = diffCorpora(other, one, 50);
        for (const kind of ["rows", "tasks", "pictures"] as const) {
          expect(back[kind]).toMatchObject({
            removed: there[kind].added,
            changed: there[kind].changed,
            added: there[kind].removed,
          });
          const { removed, changed, added, listed } = there[kind];
          expect(listed).toHaveLength(removed + changed + added);
        }
        expect(back.rows.reordered).toBe(there.rows.reordered);
        expect(back.rows.fields).toEqual(there.rows.fields);
        expect(back.same).toBe(there.same);
        expect([back.a, back.b]).toEqual([there.b, there.a]);
        expect(there.a.rows - there.rows.removed).toBe(there.b.rows - there.rows.added);
      }),
    );
  });

  test("the same rows in another order are told as that, because the digest is another", () => {
    fc.assert(
      fc.property(
        contents.filter(({ rows }) => rows.size > 1),
        (one) => {
          const [first, ...others] = [...one.rows];
          if (first === undefined) throw new Error("it has rows");
          const other = { ...one, sha256: "other", rows: new Map([...others, first]) };
          const diff = diffCorpora(one, other, 50);
          expect(diff.same).toBe(false);
          expect(diff.rows).toMatchObject({ removed: 0, changed: 0, added: 0, reordered: true });
        },
      ),
    );
  });

  test("lists are cut, counts are not", () => {
    fc.assert(
      fc.property(contents, contents, fc.nat(4), (one, other, limit) => {
        const cut = diffCorpora(one, other, limit);
        const whole = diffCorpora(one, other, 50);
        expect(cut.rows).toEqual({ ...whole.rows, listed: whole.rows.listed.slice(0, limit) });
        expect(cut.pictures.listed).toEqual(whole.pictures.listed.slice(0, limit));
      }),
    );
  });
});

describe("corpora on disk", () => {
  test("fields of row, question, manifest, tasks, categories and pictures are named", async () => {
    const { row, assets } = imageRow("p");
    const a = await read({ rows: [corpusRow("a"), corpusRow("b"), row], assets });
    const bytes = png(7);
    const b = await read({
      rows: [
        corpusRow("c", { task: "SUP-3", category: "new" }),
        corpusRow("b", { gold: "no", extra: 1, title: "Other" }),
        { ...row, assets: [assetOf("assets/p.png", bytes)] },
      ],
      assets: { "assets/p.png": bytes },
      manifest: { label: "Other", version: "1.1.0" },
      pointer: { version: "1.1.0" },
    });
    const diff = diffCorpora(a, b, 50);
    expect(diff.same).toBe(false);
    expect([diff.a.version, diff.b.version]).toEqual(["1.0.0", "1.1.0"]);
    expect(diff.manifest).toEqual({ fields: ["label"], field_count: 1 });
    expect(diff.rows).toEqual({
      ...{ removed: 1, changed: 2, added: 1, reordered: false },
      fields: ["assets", "extra", "questions[0].gold", "title"].map((field) => ({ field, rows: 1 })),
      listed: [
        { change: "removed", id: "a", task: "SUP-1", fields: [], field_count: 0 },
        {
          ...{ change: "changed", id: "b", task: "SUP-1" },
          ...{ fields: ["extra", "questions[0].gold", "title"], field_count: 3 },
        },
        { change: "changed", id: "p", task: "SUP-2", fields: ["assets"], field_count: 1 },
        { change: "added", id: "c", task: "SUP-3", fields: [], field_count: 0 },
      ],
    });
    expect(diff.tasks.listed).toEqual([
      { change: "changed", id: "SUP-1", fields: ["rows"], field_count: 1 },
      { change: "added", id: "SUP-3", fields: [], field_count: 0 },
    ]);
    expect(diff.categories.listed.map(({ change, id }) => [change, id])).toEqual([["added", "new"]]);
    expect(diff.pictures.listed).toEqual([
      { change: "changed", id: "assets/p.png", fields: ["sha256"], field_count: 1 },
    ]);
  });

  test("order of keys and white space are no difference, as they are none to the digest", async () => {
    const first = { ...corpusRow("a"), extra: 1 };
    const one = JSON.stringify(first, (_, value) =>
      value instanceof Map ? Object.fromEntries(value) : value,
    );
    const turned = one.replace(/^\{("id":"a"),(.*),"extra":1\}$/, '{"extra" : 1,$2,$1}');
    expect(turned).not.toBe(one);
    expect(diffCorpora(await read({ rows: [one] }), await read({ rows: [turned] }), 50).same).toBe(true);
  });

  test("nothing of a foreign id or field reaches the text alive, and a row with many fields is one short line", async () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`f${index}`, index]));
    const long = "k".repeat(100);
    const a = await read({ rows: [corpusRow("\u001b[2Jx", { [`${long}1`]: 1, [`${long}2`]: 1 })] });
    const b = await read({
      rows: [corpusRow("\u001b[2Jx", { ...many, "\u202ey": 2, [`${long}1`]: 2, [`${long}2`]: 1 })],
    });
    const diff = diffCorpora(a, b, 50);
    // Two keys that look alike when they are cut stay two: one of them changed.
    expect(diff.rows.listed).toMatchObject([{ field_count: 62 }]);
    expect(diff.rows.listed[0]?.fields).toHaveLength(MOST_FIELDS);
    const text = diffText(diff);
    expect(text).toContain("\\x1b[2Jx");
    expect(text).toContain("… and 22 more");
    for (const hidden of ["\u001b", "\u202e"]) expect(text).not.toContain(hidden);
    expect(diffText(diffCorpora(a, b, 0))).toMatch(/^rows +0 +1 +0$/m);
  });

  test("a corpus is found by name, by folder and by checkout; what is none or unsound ends with 2", async () => {
    const here = workspace();
    const there = workspace({ rows: [corpusRow("z")] });
    const find = (name: string, folder = join(here.root, name)) =>
      namedContents(here.open(), name, { folder, said: "A (it)" });
    expect((await find("test-1")).sha256).toBe(here.sha256);
    expect((await find("x", there.corpusDir)).sha256).toBe(there.sha256);
    expect((await find("x", there.root)).sha256).toBe(there.sha256);
    await expect(find("none")).rejects.toMatchObject({
      exitCode: 2,
      message: 'no corpus "none": data/corpus has "test-1", and no folder is at that path',
    });
    await expect(find("config")).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/^A \(it\) holds no corpus: /),
    });
    writeFileSync(join(there.corpusDir, "cases.jsonl"), "{}\n");
    await expect(find("x", there.corpusDir)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/^A \(it\): cases\.jsonl:1: /),
    });
    rmSync(join(there.corpusDir, "cases.jsonl"));
    await expect(find("x", there.corpusDir)).rejects.toMatchObject({ exitCode: 2 });
  });
});
