import { useMutation, useQueryClient } from "@tanstack/react-query";
import toast from "react-hot-toast";

/** A call that changes incidents: says what it did, and reads the list again. */
export function useIncidentAction<Input>(
  action: (input: Input) => Promise<{ message: string }>,
  onDone?: () => void,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: action,
    onSuccess: async ({ message }) => {
      toast.success(message);
      onDone?.();
      await client.invalidateQueries({ queryKey: ["incidents"] });
    },
    onError: (error) => toast.error(error.message || "We couldn’t reach the server. Nothing was changed."),
  });
}
