/** A path without `//`, `.` and `..`, as Go's ServeMux redirects to it; undefined where it is clean already. */
export const cleanedPath = (path: string): string | undefined => {
  const kept: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") kept.pop();
    else if (part !== "" && part !== ".") kept.push(part);
  }
  const cleaned = `/${kept.join("/")}${kept.length > 0 && path.endsWith("/") ? "/" : ""}`;
  return cleaned === path ? undefined : cleaned;
};
