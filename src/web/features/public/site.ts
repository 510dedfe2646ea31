export const site = { jurisdiction: "Portugal", supportEmail: "support@watchglass.example" };
