// Preloaded into a command that must not open a connection: an attempt ends it, and says to where.
import { Socket } from "node:net";

const connect = Socket.prototype.connect;
Socket.prototype.connect = function refused(...args) {
  const [options] = args.flat();
  // Pipes between processes are no network.
  if (typeof options === "object" && options !== null && typeof options.path === "string") {
    return connect.apply(this, args);
  }
  process.stderr.write(`a connection was opened to ${JSON.stringify(options)}\n`);
  process.exit(97);
};
