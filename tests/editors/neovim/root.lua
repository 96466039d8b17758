-- Which folder the recipe takes for the workspace.
return function(desk, result)
  result.root = desk.client().root_dir
end
