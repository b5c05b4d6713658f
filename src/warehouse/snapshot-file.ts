// A file that `bench db build` or the report has written, opened to be asked: nothing else of a workspace is read.
import { DuckDBInstance } from "@duckdb/node-api";
import { queryError } from "./failure.ts";
import { type Result, streamed } from "./result.ts";

/** A snapshot that is open for reading. */
export interface SnapshotFile {
  /**
   * Runs one statement.
   *
   * @throws {CheckError} for an error in the SQL, with its position.
   */
  readonly query: (sql: string) => Promise<Result>;
  readonly close: () => void;
}

/** Opens the file. Any number of processes may read it at once. */
export async function openSnapshotFile(path: string): Promise<SnapshotFile> {
  const instance = await DuckDBInstance.create(path, {
    access_mode: "READ_ONLY",
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
  });
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'; SET errors_as_json = true");
  const guard = async <T>(sql: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw queryError(error, sql);
    }
  };
  return {
    query: async (sql) => {
      const result = await guard(sql, () => connection.stream(sql));
      return streamed(result, () => guard(sql, () => result.fetchChunk()));
    },
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
