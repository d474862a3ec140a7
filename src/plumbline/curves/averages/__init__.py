"""What folds and clouds become: means over folds, local regression, means of categories."""
