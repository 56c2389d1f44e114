type End = () => unknown;

/**
 * Starts several parts that are closed together. `start` registers how to end each part as soon as it has started.
 * `close()` ends them in reverse order, and so does a failure of `start`. If ending a part fails, the others are
 * still ended.
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
    // Throw the start's error; errors from ending the parts explain less.
    await close().catch(() => undefined);
    throw error;
  }
}
