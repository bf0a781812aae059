const NOBODY = 65_534;

/** Runs `use` as a user who owns nothing, where this process may become one; a root may read everything. */
export function asStranger<Result>(use: () => Result): Result {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    return use();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}
