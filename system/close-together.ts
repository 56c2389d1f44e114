type End = () => unknown;

/**
 * Starts something of several parts, each of which says how it is ended as soon as it is there: all of them are, the
 * last first, by `close()`, or at once when a later one fails to start. Where an end fails, the others still come.
 */
export async function closeTogether<Running>(
  start: (onClose: (end: End) => void) => Promise<Running>,
): Promise<Running & { close(): Promise<void> }> {
  const ends: End[] = [];
  const close = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (const end of ends.splice(0).reverse()) {
      try {
        await end();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  };
  try {
    return { ...(await start((end) => ends.push(end))), close };
  } catch (error) {
    // The error of the start is thrown; those of ending the parts afterwards say less.
    await close().catch(() => undefined);
    throw error;
  }
}
